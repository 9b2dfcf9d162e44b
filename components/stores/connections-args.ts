// Written by `npm run generate` from connections-schema.ts: change that.
import type { SecretKey } from "../core/secret-key-args.ts";

/** How an application reaches a PostgreSQL database. */
export interface DatabaseConnection {
  /** DNS name of the database, e.g. `db.example.org`. For a cluster that hearth makes, use the pooler's. */
  host: string;
  /** TCP port. From 1 to 65535. */
  port: number;
  /** Name of the database. */
  database: string;
  /** Role the application signs in as. */
  user: string;
  /** Secret key of the role's password. */
  password: SecretKey;
}

/** How an application reaches a keystore (Redis protocol). */
export interface KeystoreConnection {
  /** DNS name, e.g. `keystore.example.org`. */
  host: string;
  /** TCP port. From 1 to 65535. */
  port: number;
  /** Secret key of the password. Without it the keystore asks for none. @default none */
  password?: SecretKey;
}

/** How an application reaches an S3-compatible object store. */
export interface ObjectStoreConnection {
  /** URL, e.g. `https://fsn1.your-objectstorage.com`. */
  endpoint: string;
  /** Region code for signing requests, e.g. `fsn1`. */
  region: string;
  /** Bucket in the path instead of the host name. */
  pathStyle: boolean;
  /** Secret that holds the two keys of `objectStoreKeys`. */
  credentials: string;
}

/** Keys of a Secret with object-store credentials (specification, "Other named objects"). */
export const objectStoreKeys = {
  accessKeyId: "AWS_ACCESS_KEY_ID",
  secretAccessKey: "AWS_SECRET_ACCESS_KEY",
} as const;
export type objectStoreKeys = (typeof objectStoreKeys)[keyof typeof objectStoreKeys];
