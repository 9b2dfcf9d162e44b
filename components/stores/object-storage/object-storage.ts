import * as pulumi from "@pulumi/pulumi";
import { begin } from "../../core/create-component.ts";
import type { ObjectStoreConnection } from "../connections-args.ts";
import type { ObjectStorageArgs } from "./args.ts";
import { objectStorageComponent } from "./component.ts";

/**
 * Buckets at one endpoint of an S3-compatible object store. They are never deleted with the stack.
 * Its provider is an `aws.Provider` made with `awsProviderArgs`, or with provisioner `cluster` a `kubernetes.Provider`.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class ObjectStorage extends pulumi.ComponentResource {
  /** How applications reach the object store. */
  public readonly connection!: ObjectStoreConnection;
  /** Names of the buckets. */
  public readonly buckets!: string[];

  constructor(name: string, args: ObjectStorageArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(objectStorageComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
