// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../../core/platform-args.ts";
import type { ResourceSpecArgs } from "../../kubernetes/resources-args.ts";

/** What a keystore is used for; it decides how it writes to disk and what it does when its memory is full. */
export const KeystoreUse = {
  /** Queues and sessions: every write goes to an append-only file, a full memory refuses writes, nothing is evicted. */
  queue: "queue",
  /** Caches, sessions and locks: snapshots only, a full memory evicts keys that have an expiry. */
  cache: "cache",
} as const;
export type KeystoreUse = (typeof KeystoreUse)[keyof typeof KeystoreUse];

/** A key-value store (Valkey) of one pod in a namespace. */
export interface KeystoreArgs {
  /** Namespace it runs in; it exists already. */
  namespace: string;
  /** Tag of the Valkey image, e.g. `8.1.9-alpine`; never older than the data. */
  version: string;
  /** What it is used for. @default queue */
  use?: KeystoreUse;
  /** Volume, binary suffix. @default 5Gi */
  storageSize?: string;
  /** Resources of the pod. @default 50m and 128Mi, up to 200m and 256Mi */
  resources?: ResourceSpecArgs;
  /** Pods: exactly 1. @default 1 */
  replicas?: number;
  /** Clients sign in with a password. An existing Secret in its place has the keys `password` and `password.conf`, the latter with the line `requirepass <password>`. @default true */
  password?: boolean;
  /** Application it belongs to, for the label `app.kubernetes.io/part-of`. @default keystore */
  partOf?: string;
  /** Settings every component of the stack shares. */
  platform: PlatformArgs;
}
