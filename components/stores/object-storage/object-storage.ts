import * as pulumi from "@pulumi/pulumi";
import { checkArguments } from "../../core/arguments.ts";
import { createPlan } from "../../core/create.ts";
import { guarded, requireValid } from "../../core/guard.ts";
import type { ObjectStoreConnection } from "../connections-args.ts";
import type { ObjectStorageArgs } from "./args.ts";
import { objectStoreConnection, planObjectStorage } from "./plan.ts";
import { objectStorageChanges, objectStorageProblems } from "./rules.ts";
import { objectStorage } from "./schema.ts";

const type = "hearth:index:ObjectStorage";

/**
 * Buckets at one endpoint of an S3-compatible object store. They are never deleted with the stack.
 * Its provider is an `aws.Provider` made with `awsProviderArgs`, or with provisioner `cluster` a `kubernetes.Provider`.
 */
export class ObjectStorage extends pulumi.ComponentResource {
  /** How applications reach the object store. */
  public readonly connection: ObjectStoreConnection;
  /** Names of the buckets. */
  public readonly buckets: string[];

  constructor(name: string, args: ObjectStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, checkArguments(objectStorage, args, objectStorageProblems));
    super(type, name, args, guarded(type, name, objectStorageChanges, opts));
    createPlan(this, name, planObjectStorage(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.connection = objectStoreConnection(args);
    this.buckets = args.buckets.map((bucket) => bucket.name);
    this.registerOutputs({ connection: this.connection, buckets: this.buckets });
  }
}
