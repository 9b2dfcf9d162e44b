import * as pulumi from "@pulumi/pulumi";
import { widened } from "../catalogue/widening.ts";
import { checkArguments } from "../core/arguments.ts";
import { createPlan } from "../core/create.ts";
import { requireValid } from "../core/guard.ts";
import { recorded } from "../core/recorded.ts";
import type { AdmissionArgs } from "./args.ts";
import { planAdmission } from "./plan.ts";
import { admissionProblems } from "./rules.ts";
import { admission } from "./schema.ts";

/**
 * The table "Limits" inside the cluster, as ValidatingAdmissionPolicies: `kubectl scale`, operators and people meet the limits that
 * a preview can't show them.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Admission extends pulumi.ComponentResource {
  constructor(name: string, args: AdmissionArgs, opts?: pulumi.ComponentResourceOptions) {
    requireValid(name, widened(checkArguments(admission, args, admissionProblems), args, args.platform?.limits));
    super("hearth:index:Admission", name, recorded(args), opts);
    createPlan(this, name, planAdmission(args), { dependsOn: opts?.dependsOn });
    this.registerOutputs();
  }
}
