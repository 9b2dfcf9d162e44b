import { databaseNames, serviceHost } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";

/** A key of a Secret in the namespace of the pod that reads it. */
export interface SecretKey {
  /** Name of the Secret. */
  name: string;
  /** Key in the Secret. */
  key: string;
}

/** How an application reaches a PostgreSQL database. */
export interface DatabaseConnection {
  /** DNS name; with our own cluster always the pooler's. */
  host: string;
  /** TCP port. @default 5432 */
  port: number;
  /** Name of the database. */
  database: string;
  /** Role the application signs in as. */
  user: string;
  /** Where its password is. */
  password: SecretKey;
}

/** How an application reaches a keystore (Redis protocol). */
export interface KeystoreConnection {
  /** DNS name. */
  host: string;
  /** TCP port. @default 6379 */
  port: number;
  /** Where the password is; absent: the keystore asks for none. */
  password?: SecretKey;
}

/** How an application reaches an S3-compatible object store. */
export interface ObjectStoreConnection {
  /** URL, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code the store signs with, e.g. `fsn1`. */
  region: string;
  /** Bucket in the path instead of the host name. @default true */
  pathStyle: boolean;
  /** Secret that holds the two keys of `objectStoreKeys`. */
  credentials: string;
}

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
