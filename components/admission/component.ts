import { defineComponent } from "../core/component.ts";
import { planAdmission } from "./plan.ts";
import { admissionProblems } from "./rules.ts";
import { admission } from "./schema.ts";

/** The table "Limits" inside the cluster, as ValidatingAdmissionPolicies. */
export const admissionComponent = defineComponent({
  name: "Admission",
  schema: admission,
  rules: admissionProblems,
  stages: (args) => [[{ plan: planAdmission(args) }]],
  outputs: () => ({}),
});
