// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../../core/platform-args.ts";
import type { ResourceSpecArgs } from "../../kubernetes/resources-args.ts";
import type { DatabaseClientArgs, DatabaseRecoveryArgs, ExtraDatabaseArgs } from "../database/args.ts";
import type { BucketArgs, BucketSettingsArgs } from "../object-storage/args.ts";

/** The shared database cluster. */
export interface StoresDatabaseArgs {
  /** PostgreSQL major, 12 to 18, which forge and hub must run on. The operator refuses 12. hearth pins the minor. @default 17 */
  version?: string;
  /** Name of the first database, owned by `app`. */
  database: string;
  /** PostgreSQL extensions of that database. @default none */
  extensions?: string[];
  /** Further databases. @default none */
  databases?: ExtraDatabaseArgs[];
  /** Number of instances: 2 are a primary and a standby; 1 has no failover. At least 1. @default 2 in production, 1 in development */
  instances?: number;
  /** Size of each instance's volume, with a binary suffix. @default 10Gi */
  storageSize?: string;
  /** Storage class of these volumes; in a stack its `storageClass` unless it is set here. @default replicated-block */
  storageClass?: string;
  /** Resources of each instance. @default 500m and 2Gi, up to 2000m and 7Gi */
  resources?: ResourceSpecArgs;
  /** All clients; pooler and server are sized for the sum of their connections. */
  clients: DatabaseClientArgs[];
  /** Recovery to a point in time. @default none */
  recover?: DatabaseRecoveryArgs;
  /** Schedule of base backups, as a cron schedule of six fields, seconds first. @default 0 0 3 * * * */
  backupSchedule?: string;
  /** How far back a recovery can go, in days, weeks or months: `30d`. @default 30d */
  backupRetention?: string;
}

/** The shared keystore. */
export interface StoresKeystoreArgs {
  /** Tag of the Valkey image, e.g. `8.1.9-alpine`; never older than the data. @default 8.1.9-alpine */
  version?: string;
  /** Size of the volume, with a binary suffix. @default 5Gi */
  storageSize?: string;
  /** Storage class of the volume; in a stack its `storageClass` unless it is set here. @default replicated-block */
  storageClass?: string;
  /** Resources of the pod. @default 50m and 512Mi, up to 500m and 1Gi */
  resources?: ResourceSpecArgs;
}

/** The shared buckets. */
export interface StoresObjectStorageArgs {
  /** URL of the endpoint, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code for signing requests, e.g. `fsn1`. */
  region: string;
  /** The buckets. The bucket for the database's backups is made in addition. */
  buckets: BucketArgs[];
  /** Bucket of the database's backups, e.g. `backups-a1b2-platform`. */
  databaseBackups: string;
  /** Uses existing buckets instead of making them. @default false: they are made */
  existingBuckets?: boolean;
  /** How the buckets are made. @default by this program */
  settings?: BucketSettingsArgs;
}

/** The namespace that forge and hub share, with their database, keystore and buckets. */
export interface StoresArgs {
  /** Namespace, created with the stores. */
  namespace: string;
  /** Database cluster `forge-db`. */
  database: StoresDatabaseArgs;
  /** Keystore. @default one of the default size */
  keystore?: StoresKeystoreArgs;
  /** Buckets. */
  objectStorage: StoresObjectStorageArgs;
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
