import { databaseNames, serviceHost } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import type { DatabaseConnection, KeystoreConnection } from "./connections-args.ts";

/** Keys of a Secret with object-store credentials (specification, "Other named objects"). */
export const objectStoreKeys = { accessKeyId: "AWS_ACCESS_KEY_ID", secretAccessKey: "AWS_SECRET_ACCESS_KEY" } as const;

/** The role that owns every application database (specification, "Authentication" 5). */
export const databaseOwner = "app";

/** Connection to `database` of the cluster `cluster` through its pooler. */
export function pooledConnection(
  cluster: string,
  namespace: string,
  database: string,
  passwordSecret?: string,
): DatabaseConnection {
  const own = databaseNames(cluster);
  return {
    host: serviceHost(own.pooler, namespace),
    port: ports.database,
    database,
    user: databaseOwner,
    password: { name: passwordSecret ?? own.credentials, key: "password" },
  };
}

/** Connection string in the specification's shape, `<scheme>://keystore.<namespace>.svc:6379/<db>`. */
export function keystoreUrl(
  scheme: string,
  connection: KeystoreConnection,
  database: number,
  password?: string,
): string {
  const user = password === undefined ? "" : `:${password}@`;
  return `${scheme}://${user}${connection.host}:${connection.port}/${database}`;
}
