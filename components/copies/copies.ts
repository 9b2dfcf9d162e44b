import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { CopiesArgs } from "./args.ts";
import { copiesComponent } from "./component.ts";

/**
 * A second copy of each bucket in another object store, made every night by rclone. What is deleted or overwritten in a bucket stays there
 * as a former version.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Copies extends pulumi.ComponentResource {
  constructor(name: string, args: CopiesArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(copiesComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
