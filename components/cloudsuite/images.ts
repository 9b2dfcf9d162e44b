import { repositories } from "../catalogue/images.ts";
import { defaultOf } from "../core/schema.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { cloudSuiteOffice } from "./schema.ts";

/** Version of the program that copies the configuration to the bucket of the backups; config.yaml does not name it. */
const copyVersion = "1.69.1";

/** Images of a suite's parts, as their makers publish them. */
export function images({ versions, office }: CloudSuiteArgs) {
  const engine = office?.engine ?? defaultOf(cloudSuiteOffice.shape.engine);
  return {
    web: `${repositories.cloudsuite}:${versions.cloudsuite}`,
    office: `${repositories[engine]}:${versions.office}`,
    whiteboard: `${repositories.whiteboard}:${versions.whiteboard}`,
    copy: `${repositories.copy}:${copyVersion}`,
  } as const;
}
