import { databaseNames } from "../../catalogue/names.ts";

/** Names of the stores that forge and hub share. The specification names them after the forge. */
const database = "forge-db";
export const sharedNames = {
  /** The database cluster. */
  database,
  /** The only address of its databases. */
  pooler: databaseNames(database).pooler,
  /** Secret with the keys of the object store. */
  objectStoreCredentials: "forge-s3-credentials",
  /** Rules on what the whole namespace has. */
  alerts: "stores-alerts",
} as const;

/** Name of a bucket at the shared object store, which ends with the namespace's tag: `<use>-<suffix>-<namespace>`. */
export function sharedBucket(use: string, suffix: string, namespace: string): string {
  return `${use}-${suffix}-${namespace}`;
}

/** Bucket of the shared database's backups. */
export function databaseBackupsBucket(suffix: string, namespace: string): string {
  return sharedBucket("db-backups", suffix, namespace);
}

/** Namespace that forge and hub share when none is named. */
export const sharedNamespace = "platform";
