import * as pulumi from "@pulumi/pulumi";
import { begin } from "../../core/create-component.ts";
import type { DatabaseConnection, KeystoreConnection, ObjectStoreConnection } from "../connections-args.ts";
import type { StoresArgs } from "./args.ts";
import { storesComponent } from "./component.ts";

/** The namespace that forge and hub share, with their database, keystore and buckets. Each store refuses its own problems and losses. */
export class Stores extends pulumi.ComponentResource {
  /** How applications reach the database. */
  public readonly database!: DatabaseConnection;
  /** How applications reach the keystore. */
  public readonly keystore!: KeystoreConnection;
  /** How applications reach the buckets. */
  public readonly objectStore!: ObjectStoreConnection;

  constructor(name: string, args: StoresArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(storesComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
