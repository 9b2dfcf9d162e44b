import type { Stages } from "../../core/component.ts";
import { joinPlans, type Plan } from "../../core/plan.ts";
import type { PlatformArgs } from "../../core/platform-args.ts";
import { secretName } from "../../core/secrets.ts";
import { alerts } from "../../kubernetes/alerts.ts";
import { prometheusRule } from "../../kubernetes/monitoring.ts";
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
import type { ResolvedStores } from "./schema.ts";

/** How applications reach the shared stores. */
export interface StoreConnections {
  readonly database: DatabaseConnection;
  readonly keystore: KeystoreConnection;
  readonly objectStore: ObjectStoreConnection;
}

/** Namespace and credentials of the shared stores, then the stores: a pure function of their arguments. */
export function sharedStages(args: ResolvedStores, given: StoresArgs): Stages {
  return [
    [{ plan: foundation(args) }],
    ...storeStages({
      objectStorage: args.objectStorage.existingBuckets ? undefined : objectStorageArgs(given),
      database: databaseArgs(given, args),
      keystore: keystoreArgs(given, args),
    }),
  ];
}

function foundation(args: ResolvedStores): Plan {
  const { namespace, platform } = args;
  const credentials = {
    name: sharedNames.objectStoreCredentials,
    namespace,
    data: {
      [objectStoreKeys.accessKeyId]: { external: true },
      [objectStoreKeys.secretAccessKey]: { external: true },
    },
  } as const;
  const metadata = { name: sharedNames.alerts, namespace, labels: { "app.kubernetes.io/managed-by": "hearth" } };
  return joinPlans({ objects: planNamespace(namespace, platform) }, planSecrets([credentials], platform.secrets), {
    objects: prometheusRule(metadata, alerts, args),
  });
}

/** How applications reach the stores; known before they are made. */
export function storeConnections({ namespace, database, objectStorage, platform }: StoresArgs): StoreConnections {
  return {
    database: databaseConnection({ name: sharedNames.database, namespace, database: database.database, platform }),
    keystore: keystoreConnection({ namespace, password: true, platform }),
    objectStore: objectStoreConnection({ ...objectStorage, credentials: credentials(platform) }),
  };
}

// Each store has defaults of its own: it gets what was given, and what has another default here.

function objectStorageArgs({ objectStorage, platform }: StoresArgs): ObjectStorageArgs {
  const { endpoint, region, settings, buckets, databaseBackups } = objectStorage;
  return {
    endpoint,
    region,
    ...(settings && { settings }),
    buckets: [...buckets, { name: databaseBackups, versioning: false }],
    credentials: credentials(platform),
    platform,
  };
}

function databaseArgs(
  { namespace, database, objectStorage, platform }: StoresArgs,
  { database: { resources } }: ResolvedStores,
): DatabaseArgs {
  const { backupSchedule, backupRetention, ...rest } = database;
  const { endpoint, region, databaseBackups } = objectStorage;
  return {
    ...rest,
    name: sharedNames.database,
    namespace,
    resources,
    backup: {
      endpoint,
      region,
      bucket: databaseBackups,
      credentials: credentials(platform),
      ...(backupSchedule && { schedule: backupSchedule }),
      ...(backupRetention && { retention: backupRetention }),
    },
    platform,
  };
}

function keystoreArgs(
  { namespace, keystore, platform }: StoresArgs,
  { keystore: { version, resources } }: ResolvedStores,
): KeystoreArgs {
  return { ...keystore, namespace, version, use: KeystoreUse.queue, resources, platform };
}

function credentials({ secrets }: PlatformArgs): string {
  return secretName(secrets, sharedNames.objectStoreCredentials);
}
