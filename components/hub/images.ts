import { copyImage } from "../stores/copying.ts";
import type { ResolvedHub } from "./defaults.ts";

const registry = "docker.io/goharbor";

/** Where the hub's images come from without mirrors. */
export const hubImageSources: readonly string[] = [registry];

/** Images of the hub's parts, all of one version, as their maker publishes them. */
export function images(args: ResolvedHub) {
  const image = (name: string) => `${registry}/${name}:v${args.version}`;
  return {
    core: image("harbor-core"),
    registry: image("registry-photon"),
    registryController: image("harbor-registryctl"),
    jobservice: image("harbor-jobservice"),
    portal: image("harbor-portal"),
    /** Applies the settings; the hub's own images have no program that speaks HTTP and JSON. */
    settings: args.jobImage,
    /** Copies the key to the bucket of the backups. */
    copy: copyImage,
  } as const;
}
