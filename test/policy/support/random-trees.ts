import { unknown } from "@hearth-platform/policy/core/field";

/** Numbers from 0 to 1, the same for the same seed. (mulberry32) */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const leaves: readonly unknown[] = [
  unknown,
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  3e300,
  Number.NaN,
  "",
  " ",
  "16",
  "5Gi",
  "1e400",
  "::::",
  "https://%/",
  "__proto__",
  "constructor",
  "a".repeat(400),
  "forge-db".repeat(50),
  "redis://keystore:6379/99999999999999999999",
  ":\u0000@\ud800",
];
const keys = ["spec", "metadata", "name", "containers", "0", "length", "__proto__", "toString", "limits", ""];

/** A tree of anything: what it holds is seldom what its place wants. */
export function randomTree(random: () => number, depth = 4): unknown {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const kind = depth === 0 ? 1 : random();
  const size = Math.floor(random() * 4);
  if (kind < 0.25) return Array.from({ length: size }, () => randomTree(random, depth - 1));
  if (kind < 0.5)
    return Object.fromEntries(Array.from({ length: size }, () => [pick(keys), randomTree(random, depth - 1)]));
  return pick(leaves);
}

/** `tree` with one of its places, some levels down, given to a random tree. */
export function disturbed(tree: unknown, random: () => number): unknown {
  const under = typeof tree === "object" && tree !== null ? Object.keys(tree) : [];
  const key = under[Math.floor(random() * under.length)];
  if (key === undefined || random() < 0.1) return randomTree(random);
  const value = disturbed((tree as Record<string, unknown>)[key], random);
  return Array.isArray(tree)
    ? tree.map((item, index) => (String(index) === key ? value : item))
    : { ...(tree as object), [key]: value };
}
