import { defineComponent } from "../core/component.ts";
import { copiesAlerts, planCopies } from "./plan.ts";
import { copiesProblems } from "./rules.ts";
import { copies } from "./schema.ts";

/** A second copy of each bucket in another object store. */
export const copiesComponent = defineComponent({
  name: "Copies",
  schema: copies,
  rules: copiesProblems,
  alerts: copiesAlerts,
  stages: (args) => [[{ plan: planCopies(args) }]],
  outputs: () => ({}),
});
