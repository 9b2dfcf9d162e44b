import type { PlannedObject } from "@hearth-platform/hearth/core/plan";
import { stackParts } from "@hearth-platform/stack/parts";
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from "kubernetes-types/networking/v1.d.ts";
import { admits, connection, matches, neighbours, type Pod, podsOf } from "../test/safety/support/network.ts";
import { checkFiles, committedStack } from "../test/support/stack-files.ts";

/**
 * Who can reach what in stack `prod`: a table for each namespace, of what its rendered network policies let through together.
 * @throws Error if the stack has errors, or a rule has no reason
 */
export function reachTables(): string {
  const { stack } = checkFiles(committedStack("prod"));
  if (!stack) throw new Error("Stack prod has errors.");
  const planned = stackParts(stack).flatMap((part) => part.plans().flatMap(({ objects }) => objects));
  const pods = [...podsOf(planned.map(({ object }) => object)), ...solversOf(planned), ...neighbours];
  const policies = planned.filter(({ object }) => object.kind === "NetworkPolicy");
  const all = policies.map(policyOf);
  const byNamespace = Map.groupBy(policies, ({ object }) => object.metadata.namespace ?? "");
  return [...byNamespace]
    .map(([namespace, own]) =>
      [
        `### Namespace \`${namespace}\``,
        [
          row(["from", "to", "ports", "why"]),
          "|---|---|---|---|",
          ...own.flatMap((each) => rowsOf(each, all, pods)),
        ].join("\n"),
      ].join("\n\n"),
    )
    .join("\n\n");
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const policyOf = ({ object }: PlannedObject) => object as unknown as NetworkPolicy;

/** Pods that prove the hosts of a namespace's certificates. */
function solversOf(planned: readonly PlannedObject[]): Pod[] {
  const certified = planned.filter(({ object }) => object.kind === "Certificate");
  return [...new Set(certified.map(({ object }) => object.metadata.namespace ?? ""))].map((namespace) => ({
    ...{ name: "certificate-solver", namespace, ports: [8089] },
    labels: { "acme.cert-manager.io/http01-solver": "true" },
  }));
}

/** What the rules of one policy let through: to its own pods, and out of its namespace. */
function rowsOf(planned: PlannedObject, all: readonly NetworkPolicy[], pods: readonly Pod[]): string[] {
  const policy = policyOf(planned);
  const { namespace = "" } = planned.object.metadata;
  const selected = pods.filter(
    (pod) => pod.namespace === namespace && matches(policy.spec?.podSelector ?? {}, pod.labels),
  );
  const isEvery = Object.keys(policy.spec?.podSelector ?? {}).length === 0;
  const own = isEvery ? "every pod" : named(selected, namespace);
  const reasonOf = (direction: "ingress" | "egress", index: number) => {
    const reason = planned.reasons?.[direction][index];
    if (reason === undefined) throw new Error(`A rule of ${planned.object.metadata.name} has no reason.`);
    return reason;
  };
  const reaches = (from: Pod, to: Pod, ports: readonly NetworkPolicyPort[] | undefined) => {
    const opens = connection(all, from, to);
    return ports === undefined || ports.some(({ port }) => opens(Number(port)));
  };
  const inbound = (policy.spec?.ingress ?? []).map(({ from, ports }, index) => {
    const callers = pods.filter((pod) => admits(from, policy, pod) && selected.some((to) => reaches(pod, to, ports)));
    return [from ? named(callers, namespace) : "everybody", own, portsOf(ports), reasonOf("ingress", index)];
  });
  const outbound = (policy.spec?.egress ?? []).flatMap(({ to = [], ports }, index) => {
    const elsewhere = to.filter(({ namespaceSelector, ipBlock }) => namespaceSelector || ipBlock);
    if (elsewhere.length === 0) return [];
    const called = pods.filter((pod) =>
      admits(
        elsewhere.filter(({ ipBlock }) => !ipBlock),
        policy,
        pod,
      ),
    );
    const places = [...(called.length > 0 ? [named(called, namespace)] : []), ...elsewhere.flatMap(addressesOf)];
    return [[own, places.join(", "), portsOf(ports), reasonOf("egress", index)]];
  });
  return [...inbound, ...outbound].map(row);
}

/** Names without what differs from version to version; of another namespace with that. */
function named(pods: readonly Pod[], namespace: string): string {
  const names = pods.map((pod) => {
    const name = `\`${pod.name.replace(/-(?:[0-9a-f]{8}|\d+-\d+-\d+)$/, "")}\``;
    return pod.namespace === namespace || neighbours.includes(pod) ? name : `${name} of \`${pod.namespace}\``;
  });
  return [...new Set(names)].sort().join(", ");
}

function addressesOf({ ipBlock }: NetworkPolicyPeer): string[] {
  if (!ipBlock) return [];
  const { cidr, except = [] } = ipBlock;
  return [except.length > 0 ? `${cidr} without ${except.join(", ")}` : cidr];
}

function portsOf(ports: readonly NetworkPolicyPort[] | undefined): string {
  if (!ports) return "all";
  return ports.map(({ port, protocol }) => (protocol === "UDP" ? `${port} UDP` : port)).join(", ");
}
