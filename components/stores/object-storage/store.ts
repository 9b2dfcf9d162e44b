import type { ObjectStoreConnection } from "../connections-args.ts";
import type { Store } from "../store.ts";
import type { ObjectStorageArgs } from "./args.ts";
import { objectStoreConnection, planObjectStorage } from "./plan.ts";
import { objectStorageChanges, objectStorageProblems } from "./rules.ts";
import { objectStorage } from "./schema.ts";

/** The buckets as a store. The Secret with its keys comes with the arguments. */
export const objectStorageStore: Store<ObjectStorageArgs, ObjectStoreConnection> = {
  component: "ObjectStorage",
  suffix: "storage",
  schema: objectStorage,
  problems: objectStorageProblems,
  changes: objectStorageChanges,
  plan: planObjectStorage,
  connection: objectStoreConnection,
  secrets: () => [],
};
