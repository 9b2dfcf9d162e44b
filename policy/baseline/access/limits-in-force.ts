import { defaultNamespace } from "@hearth-platform/hearth/admission/schema";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

const group = "admissionregistration.k8s.io";
const bindingKind = `${group}/ValidatingAdmissionPolicyBinding`;

export const limitsInForce = resourcePolicy({
  id: "rbac-limits-in-force",
  title: "The cluster's limits stay in force",
  rule: "Only the component Admission writes the admission policies of the limits, their bindings and their numbers: another binding could only audit, or hold elsewhere.",
  severity: PolicySeverity.critical,
  level: EnforcementLevel.mandatory,
  remediation: "Leave the object out, and set hearth:admission.",
  unseen: "Changes outside the stack: a role that could make them is reported by rbac-least-rights.",
  tags: ["access", "admission", "limits"],
  settings: {
    namespace: {
      description: "Namespace of the limits, with which the policies' names begin.",
      default: defaultNamespace,
    },
  },
  kinds: [`${group}/ValidatingAdmissionPolicy`, bindingKind, "ConfigMap"],
  *check(resource, { namespace }) {
    if (resource.isIn("hearth/Admission")) return;
    const name = resource.get("metadata", "name");
    if (resource.groupKind === "ConfigMap") {
      if (resource.namespace === namespace) yield violation(name, "It must not be in the namespace of the limits.");
      return;
    }
    const policy = resource.get("spec", "policyName");
    for (const field of resource.groupKind === bindingKind ? [name, policy] : [name])
      if (field.text?.startsWith(`${namespace}-`)) yield violation(field, "It must not be a policy of the limits.");
  },
});
