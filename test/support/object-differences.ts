import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";

/** What every object has of its own, whoever makes it. */
const ownFields = [
  "metadata.annotations",
  "metadata.creationTimestamp",
  "metadata.generation",
  "metadata.managedFields",
  "metadata.name",
  "metadata.namespace",
  "metadata.resourceVersion",
  "metadata.uid",
  "status",
];

/** By which field a list's items are told apart; the first that all of them have. */
const itemKeys = ["mountPath", "name", "type", "key", "kind"];

/**
 * The places where one object has another value than the other, or only one has any, sorted: `spec.containers[postgres].image`. Of what
 * only one has, the outermost place. Status and annotations are left out, and what every object has of its own.
 */
export function differences(one: KubernetesObject, other: KubernetesObject): string[] {
  return compare(one, other, "").sort();
}

function compare(one: unknown, other: unknown, path: string): string[] {
  if (ownFields.includes(path)) return [];
  if (one === undefined || other === undefined) return one === other ? [] : [path];
  const [left, right] = [children(one), children(other)];
  if (!left || !right) return JSON.stringify(one) === JSON.stringify(other) ? [] : [path];
  const keys = new Set([...left.keys(), ...right.keys()]);
  return [...keys].flatMap((key) => compare(left.get(key), right.get(key), join(path, key)));
}

function join(path: string, key: string): string {
  return path === "" || key.startsWith("[") ? `${path}${key}` : `${path}.${key}`;
}

/** Fields or items by their keys; nothing for a value that has none. */
function children(value: unknown): Map<string, unknown> | undefined {
  if (Array.isArray(value)) {
    const key = itemKeys.find((each) => value.every((item) => typeof item?.[each] === "string"));
    return new Map(value.map((item, index) => [`[${key === undefined ? index : item[key]}]`, item]));
  }
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}
