import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import {
  mapSelects,
  namespaceOf,
  type PodLabels,
  type Pods,
  podKinds,
  podsOf,
  selects,
  selectsAll,
} from "../selection.ts";

/** Where each kind selects pods by a LabelSelector. */
const selectorPaths: Readonly<Record<string, readonly string[]>> = {
  "networking.k8s.io/NetworkPolicy": ["spec", "podSelector"],
  "policy/PodDisruptionBudget": ["spec", "selector"],
  "monitoring.coreos.com/PodMonitor": ["spec", "selector"],
};
const ownSelectorKinds = ["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", "apps/ReplicaSet"];
const scaledKinds: readonly unknown[] = ["Deployment", "StatefulSet", "ReplicaSet"];
const autoscalerKind = "autoscaling/HorizontalPodAutoscaler";

export const selectors = stackPolicy({
  id: "net-selector",
  title: "Selectors and ports that find something",
  rule: "Services, network policies, disruption budgets, monitors and autoscalers select at least one pod of the stack. A Service's target port is a port of these pods.",
  severity: PolicySeverity.high,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation:
    "Use the pods' own labels and port names. If the pods are made outside the stack, list the object in `elsewhere`.",
  unseen: "Pods made outside the stack.",
  tags: ["network", "reliability"],
  settings: {
    elsewhere: {
      description: "Services and other objects that select pods made outside the stack, as namespace/name.",
      default: [] as readonly string[],
    },
  },
  kinds: ["Service", ...Object.keys(selectorPaths), autoscalerKind, ...podKinds],
  *checkStack(resources, { elsewhere }) {
    const pods = resources.map(podsOf).filter((each) => each !== undefined);
    for (const resource of resources) {
      if (ownSelectorKinds.includes(resource.groupKind)) yield* ownPods(resource);
      if (elsewhere.length > 0 && elsewhere.includes(`${namespaceOf(resource)}/${resource.name ?? ""}`)) continue;
      if (resource.groupKind === "Service") yield* service(resource, pods);
      if (resource.groupKind === autoscalerKind) yield* scaled(resource, resources);
      const path = selectorPaths[resource.groupKind];
      if (path) yield* selected(resource, resource.get(...path), pods);
    }
  },
});

function* ownPods(workload: PolicyResource): Generator<StackViolation> {
  const selector = workload.get("spec", "selector");
  const labels: PodLabels = podsOf(workload)?.labels ?? new Map();
  if (!selector.exists || !selects(selector, labels) || selectsAll(selector))
    yield violationOf(workload, selector, "It must select the workload's own pods.");
}

function* selected(resource: PolicyResource, selector: Field, pods: readonly Pods[]): Generator<StackViolation> {
  // A monitor may look for pods in other namespaces.
  const namespaces = resource.get("spec", "namespaceSelector");
  const isElsewhere = namespaces.get("any").value === true || namespaces.get("matchNames").items.length > 0;
  if (!selector.exists || selectsAll(selector) || isElsewhere) return;
  if (!near(resource, pods).some(({ labels }) => selects(selector, labels)))
    yield violationOf(resource, selector, "It selects no pod of the stack.");
}

function* service(resource: PolicyResource, pods: readonly Pods[]): Generator<StackViolation> {
  const selector = resource.get("spec", "selector");
  // Without a selector somebody else keeps its endpoints.
  if (resource.get("spec", "type").value === "ExternalName" || selector.entries.length === 0) return;
  const chosen = near(resource, pods).filter(({ labels }) => mapSelects(selector, labels));
  if (chosen.length === 0) yield violationOf(resource, selector, "It selects no pod of the stack.");
  // An operator's pods have ports that nobody here knows.
  const known = chosen.flatMap(({ containers }) => containers ?? []);
  if (chosen.length > 0 && chosen.every(({ containers }) => containers !== undefined))
    for (const port of resource.get("spec", "ports").items) yield* target(resource, port, known);
}

function* target(resource: PolicyResource, port: Field, containers: readonly Field[]): Generator<StackViolation> {
  const field = port.get("targetPort").exists ? port.get("targetPort") : port.get("port");
  const declared = containers.flatMap((container) => container.get("ports").items);
  if (field.number === undefined) {
    if (!declared.some((each) => each.get("name").value === field.value))
      yield violationOf(resource, field, "No pod it selects has a port of this name.");
    return;
  }
  // Pods may listen on ports they don't declare: a number is only advice.
  if (declared.length > 0 && !declared.some((each) => each.get("containerPort").number === field.number))
    yield { ...violationOf(resource, field, "No pod it selects declares this port."), advice: true };
}

function* scaled(autoscaler: PolicyResource, resources: readonly PolicyResource[]): Generator<StackViolation> {
  const target = autoscaler.get("spec", "scaleTargetRef");
  const isTarget = (each: PolicyResource) =>
    namespaceOf(each) === namespaceOf(autoscaler) &&
    each.kind === target.get("kind").text &&
    each.name === target.get("name").text;
  // Of other kinds nothing is known here.
  if (!scaledKinds.includes(target.get("kind").value)) return;
  if (!resources.some(isTarget)) yield violationOf(autoscaler, target, "It scales nothing of the stack.");
}

function near(resource: PolicyResource, pods: readonly Pods[]): readonly Pods[] {
  const namespace = namespaceOf(resource);
  return pods.filter((each) => each.namespace === namespace);
}
