import { podTemplateOf, workloadKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

export const duplicatePorts = resourcePolicy({
  id: "wl-duplicate-ports",
  title: "Each port of a pod once",
  rule: "No two containers that run together in a pod have the same port and protocol: the second would exit with `address already in use`.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Give each container its own port.",
  unseen: "Ports that a program opens and no container names.",
  tags: ["workloads", "ports"],
  settings: {},
  kinds: workloadKinds,
  *check(resource) {
    const spec = podTemplateOf(resource)?.get("spec");
    if (!spec) return;
    // Init containers run one after the other; those that are always restarted are sidecars.
    const sidecars = spec.get("initContainers").items.filter((each) => each.get("restartPolicy").value === "Always");
    const taken = new Set<string>();
    for (const container of [...sidecars, ...spec.get("containers").items])
      for (const port of container.get("ports").items) {
        const number = port.get("containerPort");
        const key = `${number.number}/${port.get("protocol").text ?? "TCP"}`;
        if (taken.has(key)) yield violation(number, "Another container of the pod, or another entry, has this port.");
        taken.add(key);
      }
  },
});
