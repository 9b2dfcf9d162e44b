import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import type { NetworkPolicy, NetworkPolicyPeer } from "kubernetes-types/networking/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";

/** Pods or addresses at one end of a connection. */
export interface Party {
  /** The pods in the namespace of the policies; absent for parties outside of it. */
  readonly pods?: LabelSelector;
  /** How a rule names a party outside: any of these. */
  readonly outside?: readonly NetworkPolicyPeer[];
  /** No selector knows it: what it calls is open to everybody, and nobody is let out to it. @default false */
  readonly unnamed?: boolean;
}

/** A connection that is allowed, with the reason it is needed. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** TCP ports of the pods called; absent: all. */
  readonly ports?: readonly number[];
  readonly protocol?: "TCP" | "UDP";
  readonly reason: string;
}

/** Link-local addresses: among them 169.254.169.254, where a cloud tells each machine's credentials (RFC 3927). */
const linkLocal = "169.254.0.0/16";

/** Private networks and those that providers share, in which the cluster and its neighbours are (RFC 1918, RFC 6598). */
const privateNetworks = ["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.168.0.0/16"];

const allBut = (except: readonly string[]): Party => ({
  outside: [{ ipBlock: { cidr: "0.0.0.0/0", except: [...new Set(except)].sort() } }],
});

/**
 * Addresses that no selector knows.
 * @param clusterNetworks ranges of the cluster's pods and Services
 */
export function addresses(clusterNetworks: readonly string[] = []) {
  return {
    /** Any but a link-local one: of nodes and the API server, too. */
    anywhere: allBut([linkLocal]),
    /** Whatever is not the cluster, as far as its ranges are known. */
    outside: allBut([linkLocal, ...clusterNetworks]),
    /** The internet alone. */
    internet: allBut([linkLocal, ...privateNetworks, ...clusterNetworks]),
  } as const satisfies Readonly<Record<string, Party>>;
}

type Metadata = (name: string) => NetworkPolicy["metadata"] & { name: string };

/** Policies of a namespace: all connections of its pods are denied but the edges. */
export function networkPolicies(
  metadata: Metadata,
  parties: Readonly<Record<string, Party>>,
  edges: readonly Edge[],
): PlannedObject[] {
  const denied = policy(metadata("default-deny"), { podSelector: {}, policyTypes: ["Ingress", "Egress"] });
  return [denied, ...edgePolicies(metadata, parties, edges)];
}

/**
 * Policies that allow the edges, beside what others allow. A party's policy has its edges of both directions.
 * @param metadata namespace and labels of the policies, by their name
 * @throws Error where an edge names an unknown party
 */
export function edgePolicies(
  metadata: Metadata,
  parties: Readonly<Record<string, Party>>,
  edges: readonly Edge[],
): PlannedObject[] {
  const partyOf = (name: string): Party => {
    const party = parties[name];
    if (!party) throw new Error(`An edge names ${name}, which is no party.`);
    return party;
  };
  const peers = ({ outside, pods }: Party): NetworkPolicyPeer[] => [...(outside ?? [{ podSelector: pods }])];
  const portsOf = ({ ports, protocol = "TCP" }: Edge) =>
    ports ? { ports: ports.map((port) => ({ port, protocol })) } : {};
  const inside = Object.entries(parties).flatMap(([name, { pods }]) => (pods ? [{ name, pods }] : []));
  return inside.flatMap(({ name, pods }) => {
    const arriving = edges.filter(({ to }) => to === name);
    const leaving = edges.filter(({ from, to }) => from === name && !partyOf(to).unnamed);
    const ingress = arriving.map((edge) => {
      const from = partyOf(edge.from);
      return { ...(!from.unnamed && { from: peers(from) }), ...portsOf(edge) };
    });
    const egress = leaving.map((edge) => ({ to: peers(partyOf(edge.to)), ...portsOf(edge) }));
    if (ingress.length + egress.length === 0) return [];
    const { object } = policy(metadata(`allow-${name}`), {
      podSelector: pods,
      policyTypes: [...(ingress.length > 0 ? ["Ingress"] : []), ...(egress.length > 0 ? ["Egress"] : [])],
      ...(ingress.length > 0 && { ingress }),
      ...(egress.length > 0 && { egress }),
    });
    const reasonsOf = (rules: readonly Edge[]) => rules.map(({ reason }) => reason);
    return [{ object, reasons: { ingress: reasonsOf(arriving), egress: reasonsOf(leaving) } }];
  });
}

function policy(metadata: ReturnType<Metadata>, spec: NonNullable<NetworkPolicy["spec"]>): PlannedObject {
  const object = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata, spec } satisfies NetworkPolicy;
  return { object };
}
