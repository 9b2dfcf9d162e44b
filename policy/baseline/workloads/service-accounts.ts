import type { Field } from "../../core/field.ts";
import { podTemplateOf, workloadKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, type Violation, violation } from "../../core/policy.ts";

const tokenSecrets: readonly unknown[] = ["kubernetes.io/service-account-token", "bootstrap.kubernetes.io/token"];

export const serviceAccountTokens = resourcePolicy({
  id: "wl-token-automount",
  title: "No service account token unless it is used",
  rule: "A pod mounts no service account token, not even as a projected volume. If it needs one, it says so and has its own account. No Secret holds a token, because that would never expire.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation:
    "Set automountServiceAccountToken to false and project no token, or set it to true and name an account that only this workload uses.",
  unseen: "A token in a Secret made outside the stack.",
  tags: ["workloads", "access"],
  settings: {
    audiences: {
      description: "Audiences outside the cluster for which a pod with its own account may project a token.",
      default: [] as readonly string[],
    },
  },
  kinds: [...workloadKinds, "Secret"],
  *check(resource, { audiences }) {
    if (resource.groupKind === "Secret") {
      const type = resource.get("type");
      if (tokenSecrets.includes(type.value))
        yield violation(type, "Its token never expires: use the pod's own token instead.");
      return;
    }
    const spec = podTemplateOf(resource)?.get("spec");
    if (!spec) return;
    const automount = spec.get("automountServiceAccountToken");
    if (automount.value === false) {
      yield* projected(spec, audiences);
      return;
    }
    if (automount.value !== true) yield violation(automount, "It must be set: without it the token is mounted.");
    else if (hasDefaultAccount(spec))
      yield violation(spec.get("serviceAccountName"), "A pod with a token must have its own account.");
  },
});

/** Tokens that a pod has in spite of its `automountServiceAccountToken: false`. */
function* projected(spec: Field, audiences: readonly string[]): Generator<Violation> {
  const sources = spec.get("volumes").items.flatMap((volume) => volume.get("projected", "sources").items);
  for (const token of sources.map((source) => source.get("serviceAccountToken"))) {
    if (!token.exists) continue;
    const isAllowed = audiences.length > 0 && audiences.includes(token.get("audience").text ?? "");
    if (!isAllowed || hasDefaultAccount(spec))
      yield violation(token, "It must be absent while automountServiceAccountToken is false.");
  }
}

function hasDefaultAccount(spec: Field): boolean {
  const account = spec.get("serviceAccountName").value ?? spec.get("serviceAccount").value ?? "default";
  return account === "default" || account === "";
}
