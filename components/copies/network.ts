import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { anywhere, type Edge, networkPolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import { copiesNames } from "./copies-names.ts";
import { copiesMetadata } from "./metadata.ts";
import type { ResolvedCopies } from "./schema.ts";

const { copy, metrics } = copiesNames;

const elsewhere = (labels: Record<string, string>): Party => ({
  outside: { namespaceSelector: {}, podSelector: { matchLabels: labels } },
});

/** Who connects. Parties outside are known by the labels their own charts give them. */
const parties: Readonly<Record<string, Party>> = {
  [copy]: { pods: { matchLabels: selectorLabels(copy) } },
  [metrics]: { pods: { matchLabels: selectorLabels(metrics) } },
  all: { pods: {} },
  dns: elsewhere({ "k8s-app": "kube-dns" }),
  prometheus: elsewhere({ "app.kubernetes.io/name": "prometheus" }),
  ...anywhere,
};

/** Policies of the namespace, where the arguments ask for them. */
export function networkObjects(args: ResolvedCopies): PlannedObject[] {
  if (!args.networkPolicies) return [];
  const stores = [...args.sources, args.to].map(({ endpoint }) => Number(new URL(endpoint).port || 443));
  const storePorts = [...new Set(stores)].sort((a, b) => a - b);
  const edges: readonly Edge[] = [
    { from: copy, to: "anywhere", ports: storePorts, reason: "The buckets and their copies." },
    { from: metrics, to: "anywhere", ports: storePorts, reason: "What the last copies left of them." },
    { from: "prometheus", to: metrics, ports: [ports.copiesMetrics], reason: "Metrics." },
    { from: "all", to: "dns", ports: [53], protocol: "UDP", reason: "Names of the stores." },
    { from: "all", to: "dns", ports: [53], reason: "Names whose answers are too long for a datagram." },
  ];
  return networkPolicies((name) => copiesMetadata(args, copy, name), parties, edges);
}
