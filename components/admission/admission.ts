import * as pulumi from "@pulumi/pulumi";
import { begin } from "../core/create-component.ts";
import type { AdmissionArgs } from "./args.ts";
import { admissionComponent } from "./component.ts";

/**
 * The table "Limits" inside the cluster, as ValidatingAdmissionPolicies: `kubectl scale`, operators and people meet the limits that
 * a preview can't show them.
 * @throws pulumi.InputPropertiesError with every problem of the arguments
 */
export class Admission extends pulumi.ComponentResource {
  constructor(name: string, args: AdmissionArgs, opts?: pulumi.ComponentResourceOptions) {
    const begun = begin(admissionComponent, name, args, opts);
    super(...begun.resource);
    this.registerOutputs(begun.create(this));
  }
}
