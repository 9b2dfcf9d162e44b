import * as pulumi from "@pulumi/pulumi";
import { createPlan } from "../../core/create.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../connections-args.ts";
import { Database } from "../database/database.ts";
import { Keystore } from "../keystore/keystore.ts";
import { ObjectStorage } from "../object-storage/object-storage.ts";
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
    super("hearth:index:Stores", name, args, opts);
    const plan = planStores(args);
    const foundation = createPlan(this, name, plan.foundation, {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    const inNamespace = { parent: this, dependsOn: [...foundation.values()] };
    const storage = plan.objectStorage && new ObjectStorage(`${name}-storage`, plan.objectStorage, inNamespace);
    const withBuckets = { parent: this, dependsOn: [...inNamespace.dependsOn, ...(storage ? [storage] : [])] };
    new Database(`${name}-db`, plan.database, withBuckets);
    new Keystore(`${name}-keystore`, plan.keystore, inNamespace);

    const { database, keystore, objectStore } = storeConnections(args);
    this.database = database;
    this.keystore = keystore;
    this.objectStore = objectStore;
    this.registerOutputs({ database, keystore, objectStore });
  }
}
