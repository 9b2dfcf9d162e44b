import { repositories } from "../catalogue/images.ts";
import { copyImage } from "../stores/copying.ts";
import type { ResolvedSuite } from "./schema.ts";

/** Images of the suite itself, as their makers publish them. */
export function images({ versions }: ResolvedSuite) {
  return {
    web: `${repositories.cloudsuite}:${versions.cloudsuite}`,
    /** Copies the configuration to the bucket of the backups; config.yaml does not name it. */
    copy: copyImage,
  } as const;
}
