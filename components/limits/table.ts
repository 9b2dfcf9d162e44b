import * as counts from "./counts.ts";
import type { Limit } from "./limit.ts";
import * as sets from "./sets.ts";
import * as sizes from "./sizes.ts";

/**
 * The specification's table "Limits" as data: a row says what is limited, the number, how a stack widens it, and what to do.
 * The rules of the settings, the policies of the pack `platform-limits` and the admission policies are made from these rows:
 * every one by the key that its number has in the cluster, in the order of the specification's table.
 */
export const limits = {
  databaseMajor: counts.databaseMajor,
  sharedDatabaseMajor: counts.sharedDatabaseMajor,
  cloudsuiteReplicas: counts.cloudsuiteReplicas,
  databaseInstances: counts.databaseInstances,
  keystoreReplicas: counts.keystoreReplicas,
  syncInterval: sizes.syncInterval,
  databaseSize: sizes.databaseSize,
  keystoreSize: sizes.keystoreSize,
  cloudsuiteResources: sizes.cloudsuiteResources,
  databaseResources: sizes.databaseResources,
  keystoreResources: sizes.keystoreResources,
  officeResources: sizes.officeResources,
  whiteboardResources: sizes.whiteboardResources,
  forgeWebReplicas: counts.forgeWebReplicas,
  storageClass: sets.storageClass,
  region: sets.region,
} satisfies Record<string, Limit>;
