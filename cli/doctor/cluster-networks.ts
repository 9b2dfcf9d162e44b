import { BlockList, isIP } from "node:net";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import type { Node } from "kubernetes-types/core/v1.d.ts";

/** A range of Services, since Kubernetes 1.33. */
export interface ServiceCidr extends KubernetesObject {
  readonly spec?: { readonly cidrs?: readonly string[] };
}

/** Ranges of the cluster's own addresses. */
export interface NetworkFacts {
  /** Of each node's pods. */
  readonly pods: readonly string[] | "unseen";
  readonly services: readonly string[] | "unseen";
  /** `hearth:clusterNetworks`. */
  readonly named: readonly string[];
}

export function networkFacts(
  nodes: readonly Node[] | "unseen",
  services: readonly ServiceCidr[] | "unseen",
  named: readonly string[] = [],
): NetworkFacts {
  return {
    pods:
      nodes === "unseen" ? nodes : nodes.flatMap(({ spec }) => spec?.podCIDRs ?? spec?.podCIDR ?? []).filter(isIPv4),
    services: services === "unseen" ? services : services.flatMap(({ spec }) => spec?.cidrs ?? []).filter(isIPv4),
    named,
  };
}

/** Whether the stack's network policies know the addresses that are the cluster's own, which no way out should lead to. */
export function clusterNetworkFindings(
  objects: readonly KubernetesObject[],
  { pods, services, named }: NetworkFacts,
): Finding[] {
  if (!objects.some(({ kind }) => kind === "NetworkPolicy")) return [];
  const { ok, unknown, warning } = findings("cluster-networks");
  const subject = "cluster networks";
  const seen = [pods, services].flatMap((ranges) => (ranges === "unseen" ? [] : ranges));
  const missing = seen.filter((range) => !named.some((each) => holds(each, range)));
  if (missing.length > 0) {
    const line = [...new Set([...named, ...missing.map(whole)])].join(", ");
    return [
      warning(
        subject,
        `What may leave the cluster may reach its pods or Services too: ${missing.slice(0, 3).join(", ")}.`,
        `Write hearth:clusterNetworks: [${line}], or the ranges that your cluster was made with.`,
      ),
    ];
  }
  if (pods === "unseen" || pods.length === 0 || services === "unseen" || services.length === 0)
    return [
      unknown(
        subject,
        "The nodes or the API server don't tell the ranges of pods and Services.",
        "Compare hearth:clusterNetworks with those that your cluster was made with.",
      ),
    ];
  return [ok(subject, "hearth:clusterNetworks has the ranges of pods and Services.")];
}

/** The range that a node's own is a part of, as most clusters have it: of 16 bits. */
function whole(range: string): string {
  const [network = "", bits] = range.split("/");
  return Number(bits) <= 16 ? range : `${network.split(".").slice(0, 2).join(".")}.0.0/16`;
}

function holds(outer: string, inner: string): boolean {
  const [network = "", bits] = outer.split("/");
  const [address = "", innerBits] = inner.split("/");
  const list = new BlockList();
  list.addSubnet(network, Number(bits));
  return Number(bits) <= Number(innerBits) && list.check(address);
}

function isIPv4(range: string): boolean {
  return isIP(range.split("/")[0] ?? "") === 4;
}
