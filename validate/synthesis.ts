import { parse } from "yaml";
import type { KubernetesObject } from "../components/plan.ts";
import { Profile } from "../components/platform.ts";
import { renderObjects } from "../render/objects.ts";
import { stackPlans } from "../render/plans.ts";
import type { ConfigContext } from "../settings/config-file.ts";
import type { ConfigFile } from "../settings/config-schema.ts";

/**
 * The Kubernetes objects of one suite as `npm run render` writes them, in a stack that has it alone and leaves out what it can.
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
  const manifests = renderObjects(stackPlans({ settings, suites: [suite] }));
  // YAML 1.1 is what the manifests are written in.
  return [...manifests.values()].map((text) => parse(text, { version: "1.1" }) as KubernetesObject);
}
