import { joinPlans, type Plan } from "../../core/plan.ts";
import { defaultOf } from "../../core/schema.ts";
import { secretName } from "../../core/secrets.ts";
import { planNamespace } from "../../kubernetes/namespace.ts";
import { planSecrets } from "../../kubernetes/secrets.ts";
import { objectStoreKeys } from "../connections.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../connections-args.ts";
import type { DatabaseArgs } from "../database/args.ts";
import { databaseStore } from "../database/store.ts";
import { type KeystoreArgs, KeystoreUse } from "../keystore/args.ts";
import { keystoreStore } from "../keystore/store.ts";
import type { ObjectStorageArgs } from "../object-storage/args.ts";
import { objectStorageStore } from "../object-storage/store.ts";
import { planOfStores, type StoreSet } from "../set/store-set.ts";
import type { StoresArgs } from "./args.ts";
import { sharedNames } from "./names.ts";
import { storesDatabase, storesKeystore } from "./schema.ts";

/** PostgreSQL major of the shared cluster: the one that every part runs on. */
export const defaultDatabaseVersion = defaultOf(storesDatabase.shape.version);

/** The shared stores before they are created: namespace and credentials, and the arguments of the components after them. */
export interface StoresPlan extends StoreSet {
  readonly foundation: Plan;
}

/** How applications reach the shared stores. */
export interface StoreConnections {
  readonly database: DatabaseConnection;
  readonly keystore: KeystoreConnection;
  readonly objectStore: ObjectStoreConnection;
}

/** Decides on the shared stores: a pure function of their arguments. */
export function planStores(args: StoresArgs): StoresPlan {
  const { namespace, platform } = args;
  return {
    foundation: joinPlans(
      { objects: planNamespace(namespace, platform) },
      planSecrets(
        [
          {
            name: sharedNames.objectStoreCredentials,
            namespace,
            data: {
              [objectStoreKeys.accessKeyId]: { external: true },
              [objectStoreKeys.secretAccessKey]: { external: true },
            },
          },
        ],
        platform.secrets,
      ),
    ),
    objectStorage: args.objectStorage.existingBuckets ? undefined : objectStorageArgs(args),
    database: databaseArgs(args),
    keystore: keystoreArgs(args),
  };
}

/** Everything that the stores create, as one plan. */
export function storesPlan(args: StoresArgs): Plan {
  const { foundation, ...stores } = planStores(args);
  return joinPlans(foundation, planOfStores(stores));
}

/** How applications reach the stores; known before they are made. */
export function storeConnections(args: StoresArgs): StoreConnections {
  return {
    database: databaseStore.connection(databaseArgs(args)),
    keystore: keystoreStore.connection(keystoreArgs(args)),
    objectStore: objectStorageStore.connection(objectStorageArgs(args)),
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
