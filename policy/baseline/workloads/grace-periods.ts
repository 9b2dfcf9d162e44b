import type { Field } from "../../core/field.ts";
import { podTemplate, servingKinds } from "../../core/pods.ts";
import { Level, resourcePolicy, Severity, violation } from "../../core/policy.ts";

/** What Kubernetes gives a pod that says nothing, in seconds. */
const standard = 30;

export const gracePeriods = resourcePolicy({
  id: "wl-grace-period",
  title: "Time to end",
  rule: "A pod has time to end: more than its hooks wait before they let it stop, and enough to write its data in a StatefulSet or a database.",
  severity: Severity.medium,
  level: Level.mandatory,
  remediation: "Raise terminationGracePeriodSeconds, of a database stopDelay, or let the hook wait for less.",
  tags: ["workloads", "reliability"],
  settings: {
    withData: {
      description: "Seconds that a pod of a StatefulSet or a database is given at least.",
      default: standard,
    },
  },
  kinds: [...servingKinds, "postgresql.cnpg.io/Cluster"],
  *check(resource, { withData }) {
    const template = podTemplate(resource)?.get("spec");
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
