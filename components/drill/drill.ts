import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { DrillArgs } from "./args.ts";
import { drillComponent } from "./component.ts";

/**
 * A regular proof that a database comes back from its backups: it is recovered beside the running one, checked and removed.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Drill extends pulumi.ComponentResource {
  /** Name of the CronJob, e.g. `forge-db-drill`. */
  public readonly cronJob!: string;

  constructor(name: string, args: DrillArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(drillComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
