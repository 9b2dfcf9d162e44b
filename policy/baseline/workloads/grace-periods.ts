import type { Field } from "../../core/field.ts";
import { podTemplateOf, servingKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

/** Kubernetes' default grace period, in seconds. */
const standard = 30;

export const gracePeriods = resourcePolicy({
  id: "wl-grace-period",
  title: "Time to end",
  rule: "A pod has enough time to stop: longer than its hooks wait, and in a StatefulSet or a database long enough to write its data.",
  severity: PolicySeverity.medium,
  level: EnforcementLevel.mandatory,
  remediation: "Raise terminationGracePeriodSeconds, or let the hook wait less. For a database raise stopDelay.",
  unseen: "How long a program really takes to stop, and pods of operators other than CloudNativePG.",
  tags: ["workloads", "reliability"],
  settings: {
    withData: {
      description: "Shortest grace period of a pod of a StatefulSet or a database, in seconds.",
      default: standard,
    },
  },
  kinds: [...servingKinds, "postgresql.cnpg.io/Cluster"],
  *check(resource, { withData }) {
    const template = podTemplateOf(resource)?.get("spec");
    const grace = template ? template.get("terminationGracePeriodSeconds") : resource.get("spec", "stopDelay");
    if (!grace.exists && !template) return;
    const seconds = grace.exists ? (grace.number ?? 0) : standard;
    const least = template && resource.kind !== "StatefulSet" ? 1 : withData;
    if (seconds < least) yield violation(grace, `It must be ${least} or more.`);
    for (const container of template?.get("containers").items ?? []) {
      const hook = container.get("lifecycle", "preStop");
      const wait = waitOf(hook);
      if (wait > 0 && wait >= seconds) yield violation(hook, "It waits for the whole grace period, or longer.");
    }
  },
});

/** Seconds a hook sleeps; what else it does takes none that could be known. */
function waitOf(hook: Field): number {
  const command = hook
    .get("exec", "command")
    .items.map(({ text }) => text ?? "")
    .join(" ");
  const [, slept] = /\bsleep (\d+)\b/.exec(command) ?? [];
  return hook.get("sleep", "seconds").number ?? Number(slept ?? 0);
}
