import * as pulumi from "@pulumi/pulumi";
import { checkArguments } from "../../core/arguments.ts";
import { createPlan } from "../../core/create.ts";
import { guarded, requireValid } from "../../core/guard.ts";
import type { KeystoreConnection } from "../connections-args.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreConnection, planKeystore } from "./plan.ts";
import { keystoreChanges, keystoreProblems } from "./rules.ts";
import { keystore } from "./schema.ts";

const type = "hearth:index:Keystore";

/** A key-value store: one Valkey pod with a volume of its own, at `keystore.<namespace>.svc:6379`. */
export class Keystore extends pulumi.ComponentResource {
  /** How applications reach it. */
  public readonly connection: KeystoreConnection;

  constructor(name: string, args: KeystoreArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, checkArguments(keystore, args, keystoreProblems));
    super(type, name, args, guarded(type, name, keystoreChanges, opts));
    createPlan(this, name, planKeystore(args), {
      allowDataLoss: args.platform.allowDataLoss,
      dependsOn: opts?.dependsOn,
    });
    this.connection = keystoreConnection(args);
    this.registerOutputs({ connection: this.connection });
  }
}
