import * as pulumi from "@pulumi/pulumi";
import { createPlan } from "../../core/create.ts";
import { recorded } from "../../core/recorded.ts";
import { checkedStore, storeType } from "../checked-store.ts";
import type { DatabaseConnection } from "../connections-args.ts";
import type { DatabaseArgs } from "./args.ts";
import { clusterName } from "./recovery.ts";
import { databaseStore } from "./store.ts";

/** A PostgreSQL cluster of CloudNativePG with its databases, pooler and backups. */
export class Database extends pulumi.ComponentResource {
  /** How applications reach the cluster's own database: through the pooler. */
  public readonly connection: DatabaseConnection;
  /** Name of the Cluster object, e.g. `forge-db`; after a recovery it has the recovery's suffix. */
  public readonly cluster: string;

  constructor(name: string, args: DatabaseArgs, opts?: pulumi.ComponentResourceOptions) {
    super(storeType(databaseStore), name, recorded(args), checkedStore(databaseStore, name, args, opts));
    createPlan(this, name, databaseStore.plan(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.connection = databaseStore.connection(args);
    this.cluster = clusterName(args);
    this.registerOutputs({ connection: this.connection, cluster: this.cluster });
  }
}
