import type { ResolvedPlatform } from "../core/platform-schema.ts";
import { addresses, type Edge, type Party } from "../kubernetes/network-policies.ts";
import { proxyOf } from "./rendering.ts";

/** Who is around the pods of every namespace, and the connections that every namespace needs. */

/** Ports of the API server: behind its Service, and of the server itself. */
export const apiServer = [443, 6443];

const namespaceName = "kubernetes.io/metadata.name";

/** A party outside the namespace, known by the labels its own chart gives it. @param namespace where it is; none: anywhere */
export function elsewhere(labels: Readonly<Record<string, string>>, namespace?: string): Party {
  const namespaceSelector = namespace === undefined ? {} : { matchLabels: { [namespaceName]: namespace } };
  return { outside: [{ namespaceSelector, podSelector: { matchLabels: { ...labels } } }] };
}

/** Where NodeLocal DNSCache listens on each node: kubernetes/kubernetes cluster/addons/dns/nodelocaldns, and kubespray. Link-local, but no metadata. */
const nodeCaches = ["169.254.20.10/32", "169.254.25.10/32"].map((cidr) => ({ ipBlock: { cidr } }));

type Networks = Pick<ResolvedPlatform, "clusterNetworks">;
type Platform = Networks & Pick<ResolvedPlatform, "ingress">;

export function surroundings({ ingress, clusterNetworks }: Platform): Readonly<Record<string, Party>> {
  const { party, control } = proxyOf(ingress);
  return {
    all: { pods: {} },
    dns: { outside: [...(elsewhere({ "k8s-app": "kube-dns" }).outside ?? []), ...nodeCaches] },
    prometheus: elsewhere({ "app.kubernetes.io/name": "prometheus" }),
    ingress: party,
    ...(control && { "ingress-control": elsewhere(control), everybody: { unnamed: true } }),
    "certificate-solver": { pods: { matchLabels: { "acme.cert-manager.io/http01-solver": "true" } } },
    ...addresses(clusterNetworks),
  };
}

/** Of all pods: they ask for names. */
export const nameEdges: readonly Edge[] = [
  { from: "all", to: "dns", ports: [53], protocol: "UDP", reason: "Names of all others." },
  { from: "all", to: "dns", ports: [53], reason: "Names whose answers are too long for a datagram." },
];

/** Of the pods that others make in a namespace with public hosts: those that prove a host by HTTP-01, and proxies beside their Gateway. */
export function hostEdges({ ingress }: Pick<Platform, "ingress">): readonly Edge[] {
  const { control } = proxyOf(ingress);
  return [
    {
      from: "ingress",
      to: "certificate-solver",
      ports: [8089],
      reason: "The certificate authority asks for the proof of a host.",
    },
    ...(control
      ? [
          { from: "everybody", to: "ingress", reason: "Public requests." },
          { from: "ingress", to: "ingress-control", reason: "The proxy is told its routes." },
          { from: "ingress", to: "dns", ports: [53], protocol: "UDP" as const, reason: "Names of its control plane." },
        ]
      : []),
  ];
}

/** Who answers at a host that the settings name, and at which ports. */
export interface Destination {
  readonly party: Party;
  /** None: the pods behind a Service have ports of their own. */
  readonly ports?: readonly number[];
}

/**
 * The pods of a Service's namespace, if the host is a Service's name (`NAME.NAMESPACE.svc`, or a short one beside the caller); else
 * addresses outside of the cluster.
 * @param namespace of the caller
 */
export function destination(host: string, port: number, namespace: string, { clusterNetworks }: Networks): Destination {
  const there = host.includes(".") ? /^[^.]+\.([^.]+)\.svc(?:\.|$)/.exec(host)?.[1] : namespace;
  if (there === undefined) return { party: addresses(clusterNetworks).outside, ports: [port] };
  if (there === namespace) return { party: { pods: {} }, ports: [port] };
  return { party: { outside: [{ namespaceSelector: { matchLabels: { [namespaceName]: there } } }] } };
}

/** The same of a URL. */
export function urlDestination(url: string, namespace: string, platform: Networks): Destination {
  const { hostname, port, protocol } = new URL(url);
  return destination(hostname, Number(port || (protocol === "http:" ? 80 : 443)), namespace, platform);
}
