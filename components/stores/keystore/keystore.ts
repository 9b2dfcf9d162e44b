import * as pulumi from "@pulumi/pulumi";
import { begin } from "../../core/create-component.ts";
import type { KeystoreConnection } from "../connections-args.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreComponent } from "./component.ts";

/**
 * A key-value store: one Valkey pod with a volume of its own, at `keystore.<namespace>.svc:6379`.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Keystore extends pulumi.ComponentResource {
  /** How applications reach it. */
  public readonly connection!: KeystoreConnection;

  constructor(name: string, args: KeystoreArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(keystoreComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
