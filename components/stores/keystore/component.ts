import { defineComponent } from "../../core/component.ts";
import { alerts } from "./alerts.ts";
import { keystoreConnection, planKeystore } from "./plan.ts";
import { keystoreChanges, keystoreProblems } from "./rules.ts";
import { keystore } from "./schema.ts";

/** A key-value store: one Valkey pod with a volume of its own, at `keystore.<namespace>.svc:6379`. */
export const keystoreComponent = defineComponent({
  name: "Keystore",
  schema: keystore,
  rules: keystoreProblems,
  changes: keystoreChanges,
  alerts,
  stages: (args) => [[{ plan: planKeystore(args) }]],
  outputs: (args) => ({ connection: keystoreConnection(args) }),
});
