import { programs } from "../../catalogue/releases.ts";
import { platform } from "../../core/platform-schema.ts";
import type { Resolved } from "../../core/resolve.ts";
import { as, block, defaultsTo, filled, flag, list, optional, text, without } from "../../core/schema.ts";
import { bucketName, namespaceName } from "../../core/value-rules.ts";
import { resources } from "../../kubernetes/resources-schema.ts";
import { limits } from "../../limits/table.ts";
import { database, databaseBackup } from "../database/schema.ts";
import { keystore } from "../keystore/schema.ts";
import { bucket, objectStorage } from "../object-storage/schema.ts";

/**
 * The specification's recommendations of resources are for a suite. A session pooler's connections are server processes, each of which keeps
 * what it has read of the catalogue: the limit holds those of a forge and a hub in production at their peak (test/components/stores/shared).
 */

export const storesDatabase = block("StoresDatabaseArgs", "The shared database cluster.", {
  ...without(database, "name", "namespace", "backup", "partOf", "platform"),
  database: as(database.shape.database, "Name of the first database, owned by `app`."),
  resources: resources("Resources of each instance.", "500m", "2Gi", "2000m", "7Gi", limits.databaseResources.least()),
  backupSchedule: databaseBackup.shape.schedule,
  backupRetention: databaseBackup.shape.retention,
});

export const storesKeystore = block("StoresKeystoreArgs", "The shared keystore.", {
  ...without(keystore, "namespace", "use", "replicas", "password", "partOf", "platform"),
  version: defaultsTo(keystore.shape.version, programs.valkey.deployed),
  resources: resources("Resources of the pod.", "50m", "512Mi", "500m", "1Gi", limits.keystoreResources.least()),
});

export const storesObjectStorage = block("StoresObjectStorageArgs", "The shared buckets.", {
  endpoint: objectStorage.shape.endpoint,
  region: objectStorage.shape.region,
  buckets: list(bucket, "The buckets. The bucket for the database's backups is made in addition."),
  databaseBackups: text("Bucket of the database's backups, e.g. `backups-a1b2-platform`.", { rule: bucketName }),
  existingBuckets: optional(flag("Uses existing buckets instead of making them."), "false: they are made"),
  settings: objectStorage.shape.settings,
});

export const stores = block(
  "StoresArgs",
  "The namespace that forge and hub share, with their database, keystore and buckets.",
  {
    namespace: text("Namespace, created with the stores.", { rule: namespaceName }),
    database: as(storesDatabase, "Database cluster `forge-db`."),
    keystore: filled(as(storesKeystore, "Keystore."), "one of the default size"),
    objectStorage: as(storesObjectStorage, "Buckets."),
    platform: as(platform, "Settings that all components of the stack share."),
  },
);

/** The shared stores' arguments with their defaults. */
export interface ResolvedStores extends Resolved<typeof stores> {}
