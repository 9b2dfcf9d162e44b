import type { Field } from "../../core/field.ts";
import { podTemplateOf } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, resourcePolicy, violation } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { type PodLabels, podsOf, selects } from "../selection.ts";
import { replicasField, scaledKinds } from "./scaled.ts";

export const spread = resourcePolicy({
  id: "wl-spread",
  title: "Replicas on different nodes",
  rule: "Two or more replicas run on different nodes, by topology spread constraints or pod anti-affinity that select the workload's own pods.",
  severity: PolicySeverity.medium,
  level: EnforcementLevel.advisory,
  remediation: "Write topologySpreadConstraints over kubernetes.io/hostname with the pods' own labels.",
  unseen: "How many nodes the cluster has, and workloads of operators other than CloudNativePG.",
  tags: ["workloads", "reliability"],
  settings: {},
  kinds: scaledKinds,
  *check(resource) {
    if ((replicasField(resource).number ?? 1) < 2) return;
    if (resource.groupKind === "postgresql.cnpg.io/Cluster") {
      const antiAffinity = resource.get("spec", "affinity", "enablePodAntiAffinity");
      if (antiAffinity.value === false) yield violation(antiAffinity, "It must not be false.");
      return;
    }
    const pod = templateOf(resource);
    const constraints = pod.get("topologySpreadConstraints");
    const labels = podsOf(resource)?.labels ?? new Map();
    if (![...constraints.items, ...antiAffinityTerms(pod)].some((each) => keepsApart(each, labels)))
      yield violation(constraints, "Neither this nor the pod anti-affinity puts the pods on different nodes.");
  },
});

function templateOf(resource: PolicyResource): Field {
  return (podTemplateOf(resource) ?? resource.get("spec", "template")).get("spec");
}

function antiAffinityTerms(pod: Field): readonly Field[] {
  const antiAffinity = pod.get("affinity", "podAntiAffinity");
  return [
    ...antiAffinity.get("requiredDuringSchedulingIgnoredDuringExecution").items,
    ...antiAffinity
      .get("preferredDuringSchedulingIgnoredDuringExecution")
      .items.map((each) => each.get("podAffinityTerm")),
  ];
}

function keepsApart(term: Field, labels: PodLabels): boolean {
  const selector = term.get("labelSelector");
  return selector.exists && selects(selector, labels);
}
