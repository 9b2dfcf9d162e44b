import type { Field } from "../../core/field.ts";

/** Addresses of IPv4 from the first to the last, as numbers. */
type Range = readonly [first: number, last: number];

const all = 2 ** 32;

/** A private network, which an exception for the internet alone leaves out. */
const privateNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].flatMap(rangeOf);

/** Peers that a network policy's rule names: without any it is everybody. */
export function peersOf(rule: Field): readonly Field[] {
  return ["from", "to"].flatMap((key) => rule.get(key).items);
}

/** Whether a rule lets through every port, or most. */
export function hasAllPorts(rule: Field): boolean {
  const ports = rule.get("ports").items;
  const count = (port: Field) => {
    const first = port.get("port");
    if (!first.exists) return 65_535;
    return (port.get("endPort").number ?? first.number ?? 0) - (first.number ?? 0) + 1;
  };
  return ports.length === 0 || ports.reduce((sum, port) => sum + count(port), 0) > 32_768;
}

/** Whether a peer is the pods of all namespaces, however that is said. */
export function isEveryPod(peer: Field): boolean {
  const [namespaces, pods] = [peer.get("namespaceSelector"), peer.get("podSelector")];
  return namespaces.exists && selectsNearlyAll(namespaces) && (!pods.exists || selectsNearlyAll(pods));
}

/** Whether a selector leaves nobody out, or only who has a certain label: every namespace has its own name as a label. */
export function selectsNearlyAll(selector: Field): boolean {
  const isOpen = (term: Field) =>
    ["NotIn", "DoesNotExist"].includes(term.get("operator").text ?? "") ||
    (term.get("operator").value === "Exists" && term.get("key").value === "kubernetes.io/metadata.name");
  return selector.get("matchLabels").entries.length === 0 && selector.get("matchExpressions").items.every(isOpen);
}

/**
 * Whether blocks of addresses together are everywhere: more than half of all, and among them most of a private network, in
 * which the cluster itself is. The internet and some addresses inside are not everywhere.
 */
export function isEverywhere(peers: readonly Field[]): boolean {
  const blocks = peers.map((peer) => peer.get("ipBlock")).filter(({ exists }) => exists);
  const cidrs = blocks.map((block) => block.get("cidr").text ?? "");
  if (cidrs.some((cidr) => cidr.includes(":") && Number(cidr.split("/")[1]) <= 1)) return true;
  const reached = blocks.flatMap((block) => {
    const left = block.get("except").items.flatMap((each) => rangeOf(each.text ?? ""));
    return left.reduce(without, rangeOf(block.get("cidr").text ?? ""));
  });
  const joined = union(reached);
  const isPrivate = privateNetworks.some(
    (network) => sizeOf(joined.reduce(without, [network])) < sizeOf([network]) / 2,
  );
  return sizeOf(joined) > all / 2 && isPrivate;
}

function rangeOf(cidr: string): Range[] {
  const [, a, b, c, d, bits] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(cidr) ?? [];
  if (bits === undefined || Number(bits) > 32) return [];
  const size = 2 ** (32 - Number(bits));
  const address = [a, b, c, d].reduce((sum, part) => sum * 256 + Number(part), 0);
  const first = Math.floor(address / size) * size;
  return [[first, first + size - 1]];
}

function sizeOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

function without(ranges: readonly Range[], [first, last]: Range): Range[] {
  return ranges.flatMap(([from, to]): Range[] => {
    if (last < from || first > to) return [[from, to]];
    const parts: Range[] = [
      [from, first - 1],
      [last + 1, to],
    ];
    return parts.filter(([start, end]) => start <= end);
  });
}

function union(ranges: readonly Range[]): Range[] {
  const joined: Range[] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before && first <= before[1]) joined[joined.length - 1] = [before[0], Math.max(before[1], last)];
    else joined.push([first, last]);
  }
  return joined;
}
