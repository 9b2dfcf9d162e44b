import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import { type GatewayClass, gatewayClasses, gatewayName, traefikPods } from "../core/gateway-classes.ts";
import type { gateway } from "../core/platform-schema.ts";
import type { Resolved } from "../core/resolve.ts";
import type { Party } from "../kubernetes/network-policies.ts";

/** A proxy that passes public requests on, as a party of network policies. */
export interface IngressProxy extends Pick<GatewayClass, "control"> {
  readonly party: Party;
}

const anyNamespace = (podSelector: LabelSelector): Party => ({ outside: [{ namespaceSelector: {}, podSelector }] });

export const traefikProxy: IngressProxy = { party: anyNamespace(traefikPods) };

/** The proxy of a Gateway's class. A class that is not known and has no labels is refused before. */
export function gatewayProxy({ className, existing, podLabels }: Resolved<typeof gateway>): IngressProxy {
  const { pods, control }: GatewayClass = gatewayClasses[className] ?? {};
  const own = podLabels ? { matchLabels: { ...podLabels } } : pods;
  if (!own) return { party: { unnamed: true } };
  if (!control) return { party: anyNamespace(own) };
  if (!existing) return { party: { ...anyNamespace(own), pods: own }, control };
  const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": existing.namespace } };
  const podSelector = podLabels ? own : { matchLabels: { [gatewayName]: existing.name } };
  return { party: { outside: [{ namespaceSelector, podSelector }] } };
}
