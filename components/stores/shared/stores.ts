import * as pulumi from "@pulumi/pulumi";
import { createPlan } from "../../core/create.ts";
import { keptFromDestroy, protectedNames } from "../../core/destroy-guard.ts";
import { recorded } from "../../core/recorded.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../connections-args.ts";
import { createStores } from "../set/create-stores.ts";
import type { StoresArgs } from "./args.ts";
import { planStores, storeConnections } from "./plan.ts";

/** The namespace that forge and hub share, with their database, keystore and buckets. Each store refuses its own problems and losses. */
export class Stores extends pulumi.ComponentResource {
  /** How applications reach the database. */
  public readonly database: DatabaseConnection;
  /** How applications reach the keystore. */
  public readonly keystore: KeystoreConnection;
  /** How applications reach the buckets. */
  public readonly objectStore: ObjectStoreConnection;

  constructor(name: string, args: StoresArgs, opts?: pulumi.ComponentResourceOptions) {
    const plan = planStores(args);
    const kept = protectedNames(plan.foundation, args.platform.allowDataLoss);
    // The stores in it record their own.
    const { namespace, platform } = args;
    super("hearth:index:Stores", name, recorded({ namespace, platform }), keptFromDestroy(kept, opts));
    const foundation = createPlan(this, name, plan.foundation, {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    createStores(this, name, plan, [...foundation.values()]);

    const { database, keystore, objectStore } = storeConnections(args);
    this.database = database;
    this.keystore = keystore;
    this.objectStore = objectStore;
    this.registerOutputs({ database, keystore, objectStore });
  }
}
