import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import type { NetworkPolicy, NetworkPolicyPeer } from "kubernetes-types/networking/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";

/** Pods or addresses at one end of a connection. */
export interface Party {
  /** The pods in the namespace of the policies; absent for parties outside of it. */
  readonly pods?: LabelSelector;
  /** How a rule names a party outside. */
  readonly outside?: NetworkPolicyPeer;
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

/** Parties that prove hosts to a certificate authority by HTTP-01: cert-manager makes such pods beside a certificate, for as long as that takes. */
export const certificateSolver: Readonly<Record<string, Party>> = {
  "certificate-solver": { pods: { matchLabels: { "acme.cert-manager.io/http01-solver": "true" } } },
};

/** The connection by which they do; `ingress` has to be a party, too. */
export const certificateSolverEdge: Edge = {
  from: "ingress",
  to: "certificate-solver",
  ports: [8089],
  reason: "The certificate authority asks for the proof of a host.",
};

/** Link-local addresses: among them 169.254.169.254, where a cloud tells each machine's credentials (RFC 3927). */
const linkLocal = "169.254.0.0/16";

/** Any address but a link-local one: for parties whose addresses no selector and no setting knows. */
export const anywhere: Readonly<Record<string, Party>> = {
  anywhere: { outside: { ipBlock: { cidr: "0.0.0.0/0", except: [linkLocal] } } },
};

/** The internet alone: without private networks and those that providers share, in which the cluster and its neighbours are (RFC 1918, RFC 6598). */
export const internet: Readonly<Record<string, Party>> = {
  internet: {
    outside: {
      ipBlock: {
        cidr: "0.0.0.0/0",
        except: ["10.0.0.0/8", "100.64.0.0/10", linkLocal, "172.16.0.0/12", "192.168.0.0/16"],
      },
    },
  },
};

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
  const peer = (name: string): NetworkPolicyPeer => {
    const party = parties[name];
    if (!party) throw new Error(`An edge names ${name}, which is no party.`);
    return party.outside ?? { podSelector: party.pods };
  };
  const portsOf = ({ ports, protocol = "TCP" }: Edge) =>
    ports ? { ports: ports.map((port) => ({ port, protocol })) } : {};
  const inside = Object.entries(parties).flatMap(([name, { pods }]) => (pods ? [{ name, pods }] : []));
  return inside.flatMap(({ name, pods }) => {
    const ingress = edges
      .filter(({ to }) => to === name)
      .map((edge) => ({ from: [peer(edge.from)], ...portsOf(edge) }));
    const egress = edges.filter(({ from }) => from === name).map((edge) => ({ to: [peer(edge.to)], ...portsOf(edge) }));
    if (ingress.length + egress.length === 0) return [];
    return [
      policy(metadata(`allow-${name}`), {
        podSelector: pods,
        policyTypes: [...(ingress.length > 0 ? ["Ingress"] : []), ...(egress.length > 0 ? ["Egress"] : [])],
        ...(ingress.length > 0 && { ingress }),
        ...(egress.length > 0 && { egress }),
      }),
    ];
  });
}

function policy(metadata: ReturnType<Metadata>, spec: NonNullable<NetworkPolicy["spec"]>): PlannedObject {
  const object = { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", metadata, spec } satisfies NetworkPolicy;
  return { object };
}
