import type { Field } from "@hearth-platform/policy/core/field";

/** `tree` with another value at `path`, e.g. `spec.containers[0].image` or `metadata.annotations["a.b/c"]`; undefined removes it. */
export function replaced(tree: unknown, path: string, value: unknown): unknown {
  return set(tree, keysOf(path), value);
}

function set(tree: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (key === undefined) return value;
  if (typeof key === "number") {
    const list = Array.isArray(tree) ? tree : [];
    return list.map((item, index) => (index === key ? set(item, rest, value) : item));
  }
  const map = typeof tree === "object" && tree !== null ? (tree as Record<string, unknown>) : {};
  return { ...map, [key]: set(map[key], rest, value) };
}

function keysOf(path: string): (string | number)[] {
  const keys = path.matchAll(/([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g);
  return [...keys].map(([, name, index, quoted]) => name ?? (quoted ? JSON.parse(quoted) : Number(index)));
}

/** Every text and number in a tree with its path, as `Field` writes it. */
export function leaves(field: Field): [path: string, value: string | number][] {
  const { value } = field;
  if (typeof value === "string" || typeof value === "number") return [[field.path, value]];
  const below = Array.isArray(value) ? field.items : field.entries.map(([, each]) => each);
  return below.filter((each) => !each.isUnknown).flatMap((each) => leaves(each));
}
