import { platform } from "../../core/platform-schema.ts";
import { as, block, count, defaultsTo, flag, list, optional, perProfile, text, texts } from "../../core/schema.ts";
import { resourceSpec } from "../../kubernetes/resources-schema.ts";
import { databaseClient, databaseRecovery, extraDatabase } from "../database/schema.ts";
import { bucket, bucketSettings } from "../object-storage/schema.ts";

export const storesDatabase = block("StoresDatabaseArgs", "The shared database cluster.", {
  version: defaultsTo(text("PostgreSQL major, e.g. `16`."), "16"),
  database: text("Name of the first database, owned by `app`."),
  extensions: optional(texts("PostgreSQL extensions of that database."), "none"),
  databases: optional(list(extraDatabase, "Further databases."), "none"),
  instances: perProfile(count("Instances: 2 is a primary and a standby, 1 has no failover."), {
    production: 2,
    development: 1,
  }),
  storageSize: defaultsTo(text("Volume of each instance, binary suffix."), "10Gi"),
  resources: optional(as(resourceSpec, "Resources of each instance."), "500m and 1Gi, up to 2 and 2Gi"),
  clients: list(databaseClient, "Everyone who connects; pooler and server are sized for their sum."),
  backupSchedule: optional(text("When a base backup is taken: six fields, seconds first."), "0 0 3 * * *"),
  backupRetention: defaultsTo(text("How far back a recovery can go: `30d`."), "30d"),
  recover: optional(as(databaseRecovery, "Recovery to a point in time."), "none"),
});

export const storesKeystore = block("StoresKeystoreArgs", "The shared keystore.", {
  version: defaultsTo(text("Tag of the Valkey image."), "8.1.4-alpine"),
  storageSize: defaultsTo(text("Volume, binary suffix."), "5Gi"),
  resources: optional(as(resourceSpec, "Resources of the pod."), "50m and 512Mi, up to 500m and 1Gi"),
});

export const storesObjectStorage = block("StoresObjectStorageArgs", "The shared buckets.", {
  endpoint: text("URL of the S3-compatible endpoint, e.g. `https://fsn1.your-objectstorage.com`."),
  region: text("Region code the store signs with, e.g. `fsn1`."),
  buckets: list(bucket, "The buckets; that of the database's backups is made beside them."),
  databaseBackups: text("Bucket of the database's backups."),
  existingBuckets: optional(flag("The buckets exist already and are only used."), "false: they are made"),
  settings: optional(as(bucketSettings, "How the buckets are made."), "by this program"),
});

export const stores = block(
  "StoresArgs",
  "The namespace that forge and hub share, with their database, keystore and buckets.",
  {
    namespace: text("Namespace; made with the stores."),
    database: as(storesDatabase, "Database cluster `forge-db`."),
    keystore: optional(as(storesKeystore, "Keystore."), "one of the default size"),
    objectStorage: as(storesObjectStorage, "Buckets."),
    platform: as(platform, "Settings every component of the stack shares."),
  },
);
