import { repositories } from "../catalogue/images.ts";
import type { CloudSuiteArgs } from "./args.ts";

/** Version of the program that copies the configuration to the bucket of the backups; config.yaml does not name it. */
const copyVersion = "1.69.1";

/** Images of the suite itself, as their makers publish them. */
export function images({ versions }: CloudSuiteArgs) {
  return {
    web: `${repositories.cloudsuite}:${versions.cloudsuite}`,
    copy: `${repositories.copy}:${copyVersion}`,
  } as const;
}
