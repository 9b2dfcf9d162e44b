import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { nameEdges, surroundings, urlDestination } from "../exposure/surroundings.ts";
import { type Edge, networkPolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import { copiesNames } from "./copies-names.ts";
import { copiesMetadata } from "./metadata.ts";
import type { ResolvedCopies } from "./schema.ts";

const { copy, metrics } = copiesNames;

/** Policies of the namespace, unless they are off. */
export function networkObjects(args: ResolvedCopies): PlannedObject[] {
  if (!(args.networkPolicies ?? args.platform.networkPolicies)) return [];
  return networkPolicies((name) => copiesMetadata(args, copy, name), parties(args), edges(args));
}

/** The object stores, each with the way to it. */
function stores({ sources, to, namespace, platform }: ResolvedCopies) {
  return [...sources, to].map(({ endpoint }, index) => ({
    name: `object-store-${index}`,
    ...urlDestination(endpoint, namespace, platform),
  }));
}

/** Who connects. */
export function parties(args: ResolvedCopies): Record<string, Party> {
  return {
    [copy]: { pods: { matchLabels: selectorLabels(copy) } },
    [metrics]: { pods: { matchLabels: selectorLabels(metrics) } },
    ...surroundings(args.platform),
    ...Object.fromEntries(stores(args).map(({ name, party }) => [name, party])),
  };
}

/** The one list of connections of the copies. */
export function edges(args: ResolvedCopies): Edge[] {
  return [
    ...stores(args).flatMap(({ name, ports: reached }): Edge[] => [
      { from: copy, to: name, ports: reached, reason: "The buckets and their copies." },
      { from: metrics, to: name, ports: reached, reason: "What the last copies left of them." },
    ]),
    { from: "prometheus", to: metrics, ports: [ports.copiesMetrics], reason: "Metrics." },
    ...nameEdges,
  ];
}
