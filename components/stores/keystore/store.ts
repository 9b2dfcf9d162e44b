import type { KeystoreConnection } from "../connections-args.ts";
import type { Store } from "../store.ts";
import type { KeystoreArgs } from "./args.ts";
import { keystoreConnection, keystorePassword, planKeystore } from "./plan.ts";
import { keystoreChanges, keystoreProblems } from "./rules.ts";
import { keystore } from "./schema.ts";

/** The keystore as a store. */
export const keystoreStore: Store<KeystoreArgs, KeystoreConnection> = {
  component: "Keystore",
  suffix: "keystore",
  schema: keystore,
  problems: keystoreProblems,
  changes: keystoreChanges,
  plan: planKeystore,
  connection: keystoreConnection,
  secrets: ({ password }) => (password === false ? [] : [keystorePassword]),
};
