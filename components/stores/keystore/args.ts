// Written by `npm run generate` from schema.ts: change that.
import type { StorePlatformArgs } from "../../core/platform-args.ts";
import type { ResourceSpecArgs } from "../../kubernetes/resources-args.ts";

/** Use of a keystore. It decides how the keystore writes to disk, and what happens when its memory is full. */
export const KeystoreUse = {
  /** Queues and sessions: every write goes to an append-only file. When memory is full, writes are refused; nothing is evicted. */
  queue: "queue",
  /** Caches, sessions and locks: snapshots only. When memory is full, keys with an expiry are evicted. */
  cache: "cache",
} as const;
export type KeystoreUse = (typeof KeystoreUse)[keyof typeof KeystoreUse];

/** A key-value store (Valkey) of one pod in a namespace. */
export interface KeystoreArgs {
  /** Namespace of the component; it must exist. */
  namespace: string;
  /** Tag of the Valkey image, e.g. `8.1.9-alpine`; never older than the data. */
  version: string;
  /** Use of the keystore. @default queue */
  use?: KeystoreUse;
  /** Size of the volume, with a binary suffix. @default 5Gi */
  storageSize?: string;
  /** Storage class of the volume; in a stack its `storageClass` unless it is set here. @default replicated-block */
  storageClass?: string;
  /** Resources of the pod. @default 50m and 128Mi, up to 200m and 256Mi */
  resources?: ResourceSpecArgs;
  /** Pods: exactly 1. At least 0. @default 1 */
  replicas?: number;
  /** Clients sign in with a password. An existing Secret for it needs the keys `password` and `password.conf`, the latter with the line `requirepass <password>`. @default true */
  password?: boolean;
  /** Application it belongs to, for the label `app.kubernetes.io/part-of`. @default keystore */
  partOf?: string;
  /** Settings that all components of the stack share. */
  platform: StorePlatformArgs;
}
