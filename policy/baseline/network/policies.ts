import type { Field } from "../../core/field.ts";
import { workloadKinds } from "../../core/pods.ts";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf, selectsAll } from "../selection.ts";
import { hasAllPorts, isEveryPod, isEverywhere, peersOf, selectsNearlyAll } from "./reach.ts";

const policyKind = "networking.k8s.io/NetworkPolicy";

/** Components that make policies where they are asked to. */
const components = ["hearth/Forge", "hearth/Hub", "hearth/SiteWebhook", "hearth/CloudSuite"];

/** Directions, with the list of what each allows. */
const directions = { Ingress: "ingress", Egress: "egress" } as const;

export const networkPolicyRule = stackPolicy({
  id: "net-policy",
  title: "Network policies that close",
  rule: "In a namespace with network policies, every pod is closed in both directions except for allowed connections. No policies allow everything to all pods, be it by all namespaces, or by blocks of addresses that are everywhere together. With `required`, every namespace with workloads has policies.",
  severity: PolicySeverity.medium,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation:
    "Add a policy with an empty podSelector and both policyTypes, and allow each necessary connection separately.",
  unseen:
    "Policies of a network plugin's own kinds, such as Cilium's and Calico's, AdminNetworkPolicies, and whether the network plugin enforces any.",
  tags: ["network", "security"],
  settings: {
    required: { description: "Require network policies in every namespace with workloads.", default: false },
  },
  kinds: [policyKind, ...workloadKinds, ...components],
  *checkStack(resources, { required }) {
    const policies = resources.filter(({ groupKind }) => groupKind === policyKind);
    for (const [, inNamespace] of Map.groupBy(policies, namespaceOf)) {
      yield* open(inNamespace);
      yield* allowAll(inNamespace);
    }
    if (required) yield* without(resources, new Set(policies.map(namespaceOf)));
  },
});

/** Pods that no policy selects; reported on the namespace's first policy. */
function* open(policies: readonly PolicyResource[]): Generator<StackViolation> {
  const [first] = policies;
  const ofAllPods = policies.filter((policy) => selectsAll(policy.get("spec", "podSelector")));
  for (const direction of Object.keys(directions))
    if (first && !ofAllPods.some((policy) => typesOf(policy).includes(direction)))
      yield violationOf(
        first,
        first.get("spec", "policyTypes"),
        `No policy of the namespace closes all pods for ${direction}.`,
      );
}

/** Rules that allow everything to all pods of a namespace, each by itself or together. */
function* allowAll(policies: readonly PolicyResource[]): Generator<StackViolation> {
  const ofAllPods = policies.filter((policy) => selectsNearlyAll(policy.get("spec", "podSelector")));
  for (const [direction, list] of Object.entries(directions)) {
    const wide = ofAllPods
      .filter((policy) => typesOf(policy).includes(direction))
      .flatMap((policy) => policy.get("spec", list).items.map((rule) => ({ policy, rule })))
      .filter(({ rule }) => hasAllPorts(rule));
    const unbounded = wide.filter(({ rule }) => isUnbounded(rule));
    const together = unbounded.length === 0 && isEverywhere(wide.flatMap(({ rule }) => peersOf(rule)));
    for (const { policy, rule } of together ? wide.slice(-1) : unbounded)
      yield violationOf(policy, rule, "It allows everything to all pods of the namespace.");
  }
}

/** A rule whose peers are everybody: none is named, the pods of all namespaces, or all addresses. */
function isUnbounded(rule: Field): boolean {
  const peers = peersOf(rule);
  return peers.length === 0 || peers.some(isEveryPod) || isEverywhere(peers);
}

/** The directions a policy is about; by default ingress, and egress where it has rules of it. */
function typesOf(policy: PolicyResource): readonly unknown[] {
  const types = policy.get("spec", "policyTypes");
  if (types.items.length > 0) return types.items.map(({ value }) => value);
  return policy.get("spec", "egress").items.length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
}

/** Components told to do without policies, and the first workload of each other namespace that has none. */
function* without(resources: readonly PolicyResource[], closed: ReadonlySet<string>): Generator<StackViolation> {
  const reported = new Set(closed);
  for (const resource of resources) {
    const isComponent = components.includes(resource.groupKind);
    if (resource.groupKind === policyKind) continue;
    const field = isComponent ? policiesOf(resource) : resource.get("metadata", "namespace");
    const namespace = isComponent ? (resource.get("namespace").text ?? "") : namespaceOf(resource);
    if (reported.has(namespace) || (isComponent && (field.value ?? inProduction(resource)) === true)) continue;
    reported.add(namespace);
    yield violationOf(resource, field, isComponent ? "It must be true." : "Its namespace has no network policies.");
  }
}

/** What decides whether a component makes policies: its own argument, or that of all. */
function policiesOf(component: PolicyResource): Field {
  const own = component.get("networkPolicies");
  const shared = component.get("platform", "networkPolicies");
  return own.exists || !shared.exists ? own : shared;
}

function inProduction(component: PolicyResource): boolean {
  return component.get("platform", "profile").value === "production";
}
