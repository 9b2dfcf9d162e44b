import * as pulumi from "@pulumi/pulumi";
import { checkArguments } from "../../core/arguments.ts";
import { createPlan } from "../../core/create.ts";
import { guarded, requireValid } from "../../core/guard.ts";
import type { DatabaseConnection } from "../connections-args.ts";
import type { DatabaseArgs } from "./args.ts";
import { databaseChanges, databaseCreation } from "./changes.ts";
import { databaseConnection, planDatabase } from "./plan.ts";
import { clusterName } from "./recovery.ts";
import { databaseProblems } from "./rules.ts";
import { database } from "./schema.ts";

const type = "hearth:index:Database";

/** A PostgreSQL cluster of CloudNativePG with its databases, pooler and backups. */
export class Database extends pulumi.ComponentResource {
  /** How applications reach the cluster's own database: through the pooler. */
  public readonly connection: DatabaseConnection;
  /** Name of the Cluster object, e.g. `forge-db`; after a recovery it has the recovery's suffix. */
  public readonly cluster: string;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, checkArguments(database, args, databaseProblems));
    super(type, name, args, guarded(type, name, databaseChanges, opts, databaseCreation));
    createPlan(this, name, planDatabase(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.connection = databaseConnection(args);
    this.cluster = clusterName(args);
    this.registerOutputs({ connection: this.connection, cluster: this.cluster });
  }
}
