import type { Field } from "../../core/field.ts";
import { podTemplateOf, servingKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";

export const probes = resourcePolicy({
  id: "wl-probes",
  title: "Probes whose ports are there",
  rule: "Containers of long-running pods have a readiness and a liveness probe. A port that a probe names is a port of the container.",
  severity: PolicySeverity.medium,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Add the probe, or name a port of the container.",
  unseen: "Pods of operators, and whether a probe tells that the program works.",
  tags: ["workloads", "probes", "reliability"],
  settings: {
    without: {
      description: "Names of workloads that serve no requests and need no probes, such as a toolbox.",
      default: ["forge-toolbox"],
    },
  },
  kinds: servingKinds,
  *check(resource, { without }) {
    if (without.includes(resource.name ?? "")) return;
    for (const container of podTemplateOf(resource)?.get("spec", "containers").items ?? []) {
      const ports = container.get("ports").items.map((port) => port.get("name").value);
      for (const name of ["readinessProbe", "livenessProbe", "startupProbe"]) {
        const probe = container.get(name);
        if (name !== "startupProbe" && !probe.exists) yield violation(probe, "A long-running container must have it.");
        for (const port of portsOf(probe))
          if (port.text !== undefined && !/^\d+$/.test(port.text) && !ports.includes(port.text))
            yield violation(port, "It must be the name of one of the container's ports, or a number.");
      }
    }
  },
});

function portsOf(probe: Field): readonly Field[] {
  return [probe.get("httpGet", "port"), probe.get("tcpSocket", "port")];
}
