import * as pulumi from "@pulumi/pulumi";
import { begin } from "../../core/create-component.ts";
import type { DatabaseConnection } from "../connections-args.ts";
import type { DatabaseArgs } from "./args.ts";
import { databaseComponent } from "./component.ts";

/**
 * A PostgreSQL cluster of CloudNativePG with its databases, pooler and backups.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Database extends pulumi.ComponentResource {
  /** How applications reach the cluster's own database: through the pooler. */
  public readonly connection!: DatabaseConnection;
  /** Name of the Cluster object, e.g. `forge-db`; after a recovery it has the recovery's suffix. */
  public readonly cluster!: string;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(databaseComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
