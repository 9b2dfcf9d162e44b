import * as pulumi from "@pulumi/pulumi";
import { createPlan } from "../../core/create.ts";
import { recorded } from "../../core/recorded.ts";
import { checkedStore, storeType } from "../checked-store.ts";
import type { ObjectStoreConnection } from "../connections-args.ts";
import type { ObjectStorageArgs } from "./args.ts";
import { objectStorageStore } from "./store.ts";

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
    super(storeType(objectStorageStore), name, recorded(args), checkedStore(objectStorageStore, name, args, opts));
    createPlan(this, name, objectStorageStore.plan(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.connection = objectStorageStore.connection(args);
    this.buckets = args.buckets.map((bucket) => bucket.name);
    this.registerOutputs({ connection: this.connection, buckets: this.buckets });
  }
}
