import { databaseNames } from "../catalogue/names.ts";
import { parseQuantity } from "../core/quantities.ts";
import { secretName } from "../core/secrets.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../stores/connections-args.ts";
import type { DatabaseArgs } from "../stores/database/args.ts";
import { databaseConnection as ownDatabaseConnection } from "../stores/database/plan.ts";
import { type KeystoreArgs, KeystoreUse } from "../stores/keystore/args.ts";
import { keystorePassword, keystoreConnection as ownKeystoreConnection } from "../stores/keystore/plan.ts";
import type { ObjectStorageArgs } from "../stores/object-storage/args.ts";
import { objectStoreConnection as connectionOf } from "../stores/object-storage/plan.ts";
import type { OwnStores } from "../stores/set/own-stores.ts";
import type { CloudSuiteArgs } from "./args.ts";
import { partOf } from "./metadata.ts";
import { suiteNames } from "./suite-names.ts";

/** Name of a suite's database in its own cluster. */
export const suiteDatabaseName = "cloudsuite";

/** Apache's own limit of requests served at once by a web pod. (Debian's mpm_prefork.conf, MaxRequestWorkers) */
const apacheWorkers = 150;
/** Memory that a request takes with Nextcloud, at the least: more requests at once than fit end the pod first. */
const requestMemory = 64 * 2 ** 20;
/** Connections of background jobs and of the configuration Job together. */
const jobConnections = 10;
/** Connections that the push server keeps at most: the default of its library. (launchbadge/sqlx sqlx-core/src/pool/options.rs) */
const pushConnections = 10;

/** The stores that the suite makes for itself. */
export function ownStores(args: CloudSuiteArgs): OwnStores {
  return { objectStorage: objectStorageArgs(args), database: databaseArgs(args), keystore: keystoreArgs(args) };
}

/** Arguments of the suite's buckets; none where they exist already. */
function objectStorageArgs(args: CloudSuiteArgs): ObjectStorageArgs | undefined {
  if (args.existingBuckets) return undefined;
  const { data, backups } = args.s3.buckets;
  return {
    ...objectStore(args),
    buckets: [{ name: data }, { name: backups, versioning: false }],
    platform: args.platform,
  };
}

/** Arguments of the suite's own database cluster; none where it uses an existing database. */
function databaseArgs(args: CloudSuiteArgs): DatabaseArgs | undefined {
  if (args.database) return undefined;
  const { s3, platform } = args;
  return {
    name: suiteNames.database,
    namespace: args.namespace,
    version: args.versions.db,
    database: suiteDatabaseName,
    instances: args.replicas.db,
    storageSize: args.storage.dbSize,
    ...(args.storage.dbClass && { storageClass: args.storage.dbClass }),
    resources: args.resources.db,
    clients: [
      { name: suiteNames.web, connections: args.replicas.cloudsuite * requestsAtOnce(args) },
      { name: suiteNames.cron, connections: jobConnections },
      ...(args.push?.enabled ? [{ name: suiteNames.push, connections: pushConnections }] : []),
    ],
    backup: {
      endpoint: s3.endpoint,
      region: s3.region,
      bucket: s3.buckets.backups,
      credentials: objectStore(args).credentials,
    },
    ...(args.recover && { recover: args.recover }),
    partOf,
    platform,
  };
}

/** Arguments of the suite's own keystore, a cache; none where it uses an existing one. */
function keystoreArgs(args: CloudSuiteArgs): KeystoreArgs | undefined {
  if (args.keystore) return undefined;
  return {
    namespace: args.namespace,
    version: args.versions.keystore,
    use: KeystoreUse.cache,
    storageSize: args.storage.keystoreSize,
    ...(args.storage.keystoreClass && { storageClass: args.storage.keystoreClass }),
    resources: args.resources.keystore,
    replicas: args.replicas.keystore,
    partOf,
    platform: args.platform,
  };
}

/** Secrets that pods read to reach the suite's own stores, by the platform's names. */
export function storeSecrets({ database, keystore }: CloudSuiteArgs): string[] {
  return [
    ...(database ? [] : [databaseNames(suiteNames.database).credentials]),
    ...(keystore ? [] : [keystorePassword]),
  ];
}

/** How the suite reaches its database: through the pooler. */
export function suiteDatabaseConnection(args: CloudSuiteArgs): DatabaseConnection {
  const { namespace, platform } = args;
  return (
    args.database ??
    ownDatabaseConnection({ name: suiteNames.database, namespace, database: suiteDatabaseName, platform })
  );
}

/** How the suite reaches its buckets. */
export function suiteObjectStoreConnection(args: CloudSuiteArgs): ObjectStoreConnection {
  return connectionOf(objectStore(args));
}

/** How the suite reaches its keystore. */
export function suiteKeystoreConnection({ keystore, namespace, platform }: CloudSuiteArgs): KeystoreConnection {
  return keystore ?? ownKeystoreConnection({ namespace, password: true, platform });
}

function objectStore({ s3, objectStorage, platform }: CloudSuiteArgs) {
  return {
    endpoint: s3.endpoint,
    region: s3.region,
    ...(objectStorage && { settings: objectStorage }),
    credentials: secretName(platform.secrets, suiteNames.objectStoreCredentials),
  };
}

/** Requests that a web pod can serve at once; each has a connection of its own. */
function requestsAtOnce(args: CloudSuiteArgs): number {
  const memory = parseQuantity(args.resources.cloudsuite.limits.memory) ?? 0;
  return Math.min(apacheWorkers, Math.max(1, Math.floor(memory / requestMemory)));
}
