// Written by `npm run generate` from schema.ts: change that.
import type { StorePlatformArgs } from "../../core/platform-args.ts";
import type { ResourceSpecArgs } from "../../kubernetes/resources-args.ts";

/** A further database in the same cluster, owned by `app`. */
export interface ExtraDatabaseArgs {
  /** Name of the database, e.g. `registry`. */
  name: string;
  /** PostgreSQL extensions it has. @default none */
  extensions?: string[];
}

/** A client of the database, through the pooler. */
export interface DatabaseClientArgs {
  /** Name of the client, e.g. `forge-jobs`. */
  name: string;
  /** Name of the database it connects to. @default the cluster's own `database` */
  database?: string;
  /** Most connections open at the same time, over all pods of the client. At least 1. */
  connections: number;
}

/** Target of backups and the write-ahead log. */
export interface DatabaseBackupArgs {
  /** URL of the S3-compatible endpoint, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code for signing requests, e.g. `fsn1`. */
  region: string;
  /** Name of the bucket, e.g. `backups-team-a1b2`. */
  bucket: string;
  /** Name of the Secret with the keys AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, in the database's namespace. */
  credentials: string;
  /** Schedule of base backups, as a cron schedule of six fields, seconds first. @default 0 0 3 * * * */
  schedule?: string;
  /** How far back a recovery can go, in days, weeks or months: `30d`. @default 30d */
  retention?: string;
}

/** Recovery to a point in time. It makes a new cluster from the backups of an old one and switches the pooler to it; clients keep their address. Keep it set afterwards: the new cluster is the database from then on. */
export interface DatabaseRecoveryArgs {
  /** Suffix of the new cluster's name: `r1` gives `forge-db-r1`. @default the instant: `20261120-083000` */
  suffix?: string;
  /** Name of the cluster whose backups are read. @default the name without suffix */
  source?: string;
  /** Point in time, in UTC unless it has an offset: `2026-11-20 08:30:00`, `2026-11-20 10:30:00+02:00`. @default the end of the write-ahead log */
  targetTime?: string;
  /** Keeps the old cluster beside the new one. To delete it, name it in `allowDataLoss` and run `up`; then set this to false and run `up` again. @default true */
  keepSource?: boolean;
}

/** A PostgreSQL cluster of the CloudNativePG operator behind a connection pooler. */
export interface DatabaseArgs {
  /** Name of the cluster, e.g. `forge-db`; its instances are `forge-db-1`, `forge-db-2`, its pooler `forge-db-pooler`. */
  name: string;
  /** Namespace of the component; it must exist. */
  namespace: string;
  /** PostgreSQL major, 12 to 18, which forge and hub must run on. The operator refuses 12. hearth pins the minor. @default 17 */
  version?: string;
  /** Name of the application's database, owned by `app`. */
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
  /** Resources of each instance. @default 100m and 256Mi, up to 500m and 512Mi */
  resources?: ResourceSpecArgs;
  /** All clients; pooler and server are sized for the sum of their connections. */
  clients: DatabaseClientArgs[];
  /** Target of backups. @default none are made */
  backup?: DatabaseBackupArgs;
  /** Recovery to a point in time. @default none */
  recover?: DatabaseRecoveryArgs;
  /** Application it belongs to, for the label `app.kubernetes.io/part-of`. @default the cluster's name */
  partOf?: string;
  /** Settings that all components of the stack share. */
  platform: StorePlatformArgs;
}
