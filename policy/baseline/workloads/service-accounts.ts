import { podTemplate, workloadKinds } from "../../core/pods.ts";
import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";

export const serviceAccountTokens = resourcePolicy({
  id: "wl-token-automount",
  title: "No service account token unless it is used",
  rule: "A pod mounts no service account token, or says that it does and has an account of its own.",
  severity: Severity.high,
  level: Level.mandatory,
  remediation:
    "Set automountServiceAccountToken to false, or set it to true and name an account of the workload's own.",
  tags: ["workloads", "access"],
  settings: {},
  kinds: workloadKinds,
  *check(resource) {
    const spec = podTemplate(resource)?.get("spec");
    if (!spec) return;
    const automount = spec.get("automountServiceAccountToken");
    if (automount.value === false) return;
    const account = spec.get("serviceAccountName").value ?? spec.get("serviceAccount").value ?? "default";
    if (automount.value !== true) yield violation(automount, "It must be said: without it the token is mounted.");
    else if (account === "default" || account === "")
      yield violation(spec.get("serviceAccountName"), "A pod with a token must have an account of its own.");
  },
});
