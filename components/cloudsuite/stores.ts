import { type DatabaseConnection, type KeystoreConnection, pooledConnection } from "../connections.ts";
import { type KeystoreArgs, KeystoreUse } from "../keystore/args.ts";
import { keystoreConnection as ownKeystoreConnection } from "../keystore/plan.ts";
import { databaseNames, names } from "../names.ts";
import { secretName } from "../secrets.ts";
import type { CloudSuiteArgs } from "./args.ts";

/** Name of a suite's database in its own cluster. */
export const databaseName = "cloudsuite";

const cluster = names.cloudsuite.database;

/** Arguments of the suite's own keystore, a cache; none where it uses an existing one. */
export function keystoreArgs(args: CloudSuiteArgs): KeystoreArgs | undefined {
  if (args.keystore) return undefined;
  return {
    namespace: args.namespace,
    version: args.versions.keystore,
    use: KeystoreUse.cache,
    storageSize: args.storage.keystoreSize,
    resources: args.resources.keystore,
    replicas: args.replicas.keystore,
    partOf: "cloudsuite",
    platform: args.platform,
  };
}

/** How the suite reaches its keystore. */
export function keystoreConnection(args: CloudSuiteArgs): KeystoreConnection {
  return args.keystore ?? ownKeystoreConnection({ namespace: args.namespace, platform: args.platform });
}

/** How the suite reaches its database: through the pooler. */
export function databaseConnection(args: CloudSuiteArgs): DatabaseConnection {
  const { credentials } = databaseNames(cluster);
  return (
    args.database ??
    pooledConnection(cluster, args.namespace, databaseName, secretName(args.platform.secrets, credentials))
  );
}
