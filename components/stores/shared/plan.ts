import type { Stages } from "../../core/component.ts";
import { joinPlans, type Plan } from "../../core/plan.ts";
import { defaultOf } from "../../core/schema.ts";
import { secretName } from "../../core/secrets.ts";
import { planNamespace } from "../../kubernetes/namespace.ts";
import { planSecrets } from "../../kubernetes/secrets.ts";
import { objectStoreKeys } from "../connections.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../connections-args.ts";
import type { DatabaseArgs } from "../database/args.ts";
import { databaseConnection } from "../database/plan.ts";
import { type KeystoreArgs, KeystoreUse } from "../keystore/args.ts";
import { keystoreConnection } from "../keystore/plan.ts";
import type { ObjectStorageArgs } from "../object-storage/args.ts";
import { objectStoreConnection } from "../object-storage/plan.ts";
import { storeStages } from "../set/own-stores.ts";
import type { StoresArgs } from "./args.ts";
import { sharedNames } from "./names.ts";
import { storesDatabase, storesKeystore } from "./schema.ts";

/** PostgreSQL major of the shared cluster: the one that every part runs on. */
export const defaultDatabaseVersion = defaultOf(storesDatabase.shape.version);

/** How applications reach the shared stores. */
export interface StoreConnections {
  readonly database: DatabaseConnection;
  readonly keystore: KeystoreConnection;
  readonly objectStore: ObjectStoreConnection;
}

/** Namespace and credentials of the shared stores, then the stores: a pure function of their arguments. */
export function sharedStages(args: StoresArgs, given: StoresArgs): Stages {
  return [
    [{ plan: foundation(args) }],
    ...storeStages({
      objectStorage: args.objectStorage.existingBuckets ? undefined : objectStorageArgs(given),
      database: databaseArgs(given),
      keystore: keystoreArgs(given),
    }),
  ];
}

function foundation({ namespace, platform }: StoresArgs): Plan {
  const credentials = {
    name: sharedNames.objectStoreCredentials,
    namespace,
    data: {
      [objectStoreKeys.accessKeyId]: { external: true },
      [objectStoreKeys.secretAccessKey]: { external: true },
    },
  } as const;
  return joinPlans({ objects: planNamespace(namespace, platform) }, planSecrets([credentials], platform.secrets));
}

/** How applications reach the stores; known before they are made. */
export function storeConnections(args: StoresArgs): StoreConnections {
  return {
    database: databaseConnection(databaseArgs(args)),
    keystore: keystoreConnection(keystoreArgs(args)),
    objectStore: objectStoreConnection(objectStorageArgs(args)),
  };
}

function objectStorageArgs({ objectStorage, platform }: StoresArgs): ObjectStorageArgs {
  const { endpoint, region, settings, buckets, databaseBackups } = objectStorage;
  return {
    endpoint,
    region,
    ...(settings && { settings }),
    buckets: [...buckets, { name: databaseBackups }],
    credentials: secretName(platform.secrets, sharedNames.objectStoreCredentials),
    platform,
  };
}

function databaseArgs({ namespace, database, objectStorage, platform }: StoresArgs): DatabaseArgs {
  const { version, resources, backupSchedule, backupRetention, ...rest } = database;
  const { endpoint, region, databaseBackups } = objectStorage;
  return {
    ...rest,
    name: sharedNames.database,
    namespace,
    version: version ?? defaultDatabaseVersion,
    resources: resources ?? defaultOf(storesDatabase.shape.resources),
    backup: {
      endpoint,
      region,
      bucket: databaseBackups,
      credentials: secretName(platform.secrets, sharedNames.objectStoreCredentials),
      ...(backupSchedule && { schedule: backupSchedule }),
      ...(backupRetention && { retention: backupRetention }),
    },
    platform,
  };
}

function keystoreArgs({ namespace, keystore, platform }: StoresArgs): KeystoreArgs {
  return {
    ...keystore,
    namespace,
    version: keystore?.version ?? defaultOf(storesKeystore.shape.version),
    use: KeystoreUse.queue,
    resources: keystore?.resources ?? defaultOf(storesKeystore.shape.resources),
    platform,
  };
}
