import { defineComponent } from "../../core/component.ts";
import { objectStorageDefaults } from "./defaults.ts";
import { objectStoreConnection, planObjectStorage } from "./plan.ts";
import { objectStorageChanges, objectStorageProblems } from "./rules.ts";
import { objectStorage } from "./schema.ts";

/** Buckets at one endpoint of an S3-compatible object store. The Secret with its keys comes with the arguments. */
export const objectStorageComponent = defineComponent({
  name: "ObjectStorage",
  schema: objectStorage,
  rules: objectStorageProblems,
  changes: objectStorageChanges,
  defaults: objectStorageDefaults,
  stages: (args) => [[{ plan: planObjectStorage(args) }]],
  outputs: (args) => ({
    connection: objectStoreConnection(args),
    buckets: args.buckets.map(({ name }) => name),
  }),
});
