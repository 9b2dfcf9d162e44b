import type { LimitsArgs } from "@hearth-platform/hearth/core/limits-args";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { ConfigContext } from "@hearth-platform/stack/areas/suites/config-file";
import type { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import { manifests } from "@hearth-platform/stack/delivery/objects";
import { stackPlans } from "@hearth-platform/stack/parts";

/**
 * The Kubernetes objects of one suite that `hearth render` would write, in a stack that has it alone and leaves out what it can.
 * @throws Error where the suite can't be made
 */
export function synthesize(
  config: ConfigFile,
  { profile = Profile.development, officeEngine, limits }: ConfigContext,
): KubernetesObject[] {
  const settings = {
    profile,
    limits: limits as LimitsArgs | undefined,
    ingress: { clusterIssuer: "letsencrypt-prod" },
    secrets: { store: { name: "hearth" }, generate: true },
  };
  const suite = {
    settings: { name: config.namespace, config: "config.yaml", officeEngine },
    file: "config.yaml",
    config,
  };
  return [...manifests(stackPlans({ settings, suites: [suite] })).values()];
}
