import type { PlatformArgs } from "@hearth-platform/hearth/core/platform-args";
import {
  forgeBucketArgs,
  forgeClients,
  forgeDatabase,
  forgeExtensions,
  lastingForgeBuckets,
} from "@hearth-platform/hearth/forge/store-needs";
import { hubBucket } from "@hearth-platform/hearth/hub/buckets";
import { hubClients, hubDatabase } from "@hearth-platform/hearth/hub/store-needs";
import type { StoresArgs } from "@hearth-platform/hearth/stores/shared/args";
import { databaseBackupsBucket, sharedNamespace } from "@hearth-platform/hearth/stores/shared/names";
import { type StoreConnections, storeConnections } from "@hearth-platform/hearth/stores/shared/plan";
import { bucketSettingsOf, storeName } from "../../providers.ts";
import type { StackSettings } from "../../settings/stack-schema.ts";

/** The stores of forge and hub. */
export interface SharedStores {
  readonly args: StoresArgs;
  /** The buckets whose content is nowhere else. */
  readonly lastingBuckets: readonly string[];
  /** How forge and hub reach them. */
  readonly connections: StoreConnections;
  /** Name of the object store's provider. */
  readonly objectStore: string;
}

/** Their arguments; undefined in a stack without forge and hub. */
export function sharedStores(settings: StackSettings, platform: PlatformArgs): SharedStores | undefined {
  const { forge, hub, database, keystore, objectStorage, storageClass } = settings;
  if ((!forge && !hub) || !objectStorage?.endpoint || !objectStorage.region || !objectStorage.bucketSuffix)
    return undefined;
  const { endpoint, region, bucketSuffix, existingBuckets } = objectStorage;
  const { namespace = sharedNamespace } = settings;
  const args: StoresArgs = {
    namespace,
    database: {
      ...(storageClass && { storageClass }),
      ...database,
      database: forgeDatabase,
      extensions: forgeExtensions,
      // The first database is the forge's in every stack, so that a forge can join a hub.
      ...(hub && { databases: [{ name: hubDatabase }] }),
      clients: [
        ...(forge ? forgeClients({ platform, replicas: forge.replicas }) : []),
        ...(hub ? hubClients({ platform, replicas: hub.replicas }) : []),
      ],
    },
    keystore: storageClass ? { storageClass, ...keystore } : keystore,
    objectStorage: {
      endpoint,
      region,
      buckets: [
        ...(forge ? forgeBucketArgs(bucketSuffix, namespace, forge) : []),
        ...(hub ? [{ name: hubBucket(bucketSuffix, namespace) }] : []),
      ],
      databaseBackups: databaseBackupsBucket(bucketSuffix, namespace),
      existingBuckets,
      settings: bucketSettingsOf(settings),
    },
    platform,
  };
  const lastingBuckets = [
    ...(forge ? lastingForgeBuckets(bucketSuffix, namespace, forge) : []),
    ...(hub ? [hubBucket(bucketSuffix, namespace)] : []),
    args.objectStorage.databaseBackups,
  ];
  return { args, lastingBuckets, connections: storeConnections(args), objectStore: storeName(endpoint) };
}
