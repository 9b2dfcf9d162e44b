import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import type { ConfigContext } from "@hearth-platform/stack/config-file";
import type { ConfigFile } from "@hearth-platform/stack/config-schema";
import { renderObjects } from "@hearth-platform/stack/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { parse } from "yaml";

/**
 * The Kubernetes objects of one suite as `hearth render` writes them, in a stack that has it alone and leaves out what it can.
 * @throws Error where the suite can't be made
 */
export function synthesize(
  config: ConfigFile,
  { profile = Profile.development, officeEngine }: ConfigContext,
): KubernetesObject[] {
  const settings = {
    profile,
    ingress: { clusterIssuer: "letsencrypt-prod" },
    secrets: { store: { name: "hearth" }, generate: true },
  };
  const suite = {
    settings: { name: config.namespace, config: "config.yaml", officeEngine },
    file: "config.yaml",
    config,
  };
  return toObjects(renderObjects(stackPlans({ settings, suites: [suite] })));
}

/** The objects that manifests hold, by the file of each. */
export function toObjects(manifests: ReadonlyMap<string, string>): KubernetesObject[] {
  // YAML 1.1 is what the manifests are written in.
  return [...manifests.values()].map((text) => parse(text, { version: "1.1" }) as KubernetesObject);
}
