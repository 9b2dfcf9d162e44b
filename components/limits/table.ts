import { cloudsuiteReplicas, databaseInstances, databaseMajor, forgeWebReplicas, keystoreReplicas } from "./counts.ts";
import type { Limit } from "./limit.ts";
import { region, storageClass } from "./sets.ts";
import {
  cloudsuiteResources,
  databaseResources,
  databaseSize,
  keystoreResources,
  keystoreSize,
  officeResources,
  syncInterval,
  whiteboardResources,
} from "./sizes.ts";

/**
 * The specification's table "Limits" as data: a row says what is limited, the number, how a stack widens it, and what to do.
 * The rules of the settings, the policies of the pack `platform-limits` and the admission policies are made from these rows:
 * every one by the key that its number has in the cluster, in the order of the specification's table.
 */
export const limits = {
  databaseMajor,
  cloudsuiteReplicas,
  databaseInstances,
  keystoreReplicas,
  syncInterval,
  databaseSize,
  keystoreSize,
  cloudsuiteResources,
  databaseResources,
  keystoreResources,
  officeResources,
  whiteboardResources,
  forgeWebReplicas,
  storageClass,
  region,
} satisfies Record<string, Limit>;
