import type { Pack } from "../core/policy.ts";
import { officeDomain, s3Location, versionOrder } from "./config-rules.ts";
import { databaseMajor, databaseVolume } from "./databases.ts";
import { cloudsuiteReplicas, databaseReplicas, forgeWebReplicas, keystoreReplicas } from "./replicas.ts";
import {
  appResources,
  cloudsuiteResources,
  databaseResources,
  keystoreResources,
  requestsAndLimits,
} from "./resources.ts";
import { syncInterval } from "./static-sites.ts";
import { keystoreDatabase, poolerOnly } from "./stores.ts";
import { keystoreVolume, storageClass, storageMode, volumeWriters } from "./volumes.ts";
import { noWidening } from "./widening.ts";

/** Rows of the table "Limits", in its order, and the rules of config.yaml that a resource can break. */
export const limitsPack: Pack = {
  name: "platform-limits",
  description: "The limits of the platform, in component arguments and in the objects made from them.",
  policies: [
    databaseMajor,
    cloudsuiteReplicas,
    databaseReplicas,
    keystoreReplicas,
    syncInterval,
    databaseVolume,
    keystoreVolume,
    cloudsuiteResources,
    databaseResources,
    keystoreResources,
    ...appResources,
    forgeWebReplicas,
    storageClass,
    storageMode,
    volumeWriters,
    requestsAndLimits,
    s3Location,
    officeDomain,
    versionOrder,
    poolerOnly,
    keystoreDatabase,
    noWidening,
  ],
};
