import * as pulumi from "@pulumi/pulumi";
import { createPlan } from "../../core/create.ts";
import { recorded } from "../../core/recorded.ts";
import { checkedStore, storeType } from "../checked-store.ts";
import type { KeystoreConnection } from "../connections-args.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreStore } from "./store.ts";

/** A key-value store: one Valkey pod with a volume of its own, at `keystore.<namespace>.svc:6379`. */
export class Keystore extends pulumi.ComponentResource {
  /** How applications reach it. */
  public readonly connection: KeystoreConnection;

  constructor(name: string, args: KeystoreArgs, opts?: pulumi.ComponentResourceOptions) {
    super(storeType(keystoreStore), name, recorded(args), checkedStore(keystoreStore, name, args, opts));
    createPlan(this, name, keystoreStore.plan(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.connection = keystoreStore.connection(args);
    this.registerOutputs({ connection: this.connection });
  }
}
