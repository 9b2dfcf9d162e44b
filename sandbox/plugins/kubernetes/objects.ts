/** The few places where Pulumi's form of Kubernetes objects differs from the API's. */
import type { KubernetesObject } from "../../kubernetes/objects.ts";
import { isObject, type Properties } from "../grpc.ts";

/** Set by the server, never an input. */
const READ_ONLY_METADATA = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "uid",
];

const DASHED_KEY = /^x[-_]kubernetes[-_]/;

/**
 * The object a resource's inputs describe: `x_kubernetes_…` keys in the API's spelling, without what only the server
 * sets.
 */
export function objectOf(inputs: Properties): KubernetesObject {
  const { metadata, ...object } = mapKeys(inputs, (key) =>
    DASHED_KEY.test(key) ? key.replaceAll("_", "-") : key,
  ) as Properties;
  return {
    ...object,
    metadata: isObject(metadata) ? omit(metadata, READ_ONLY_METADATA) : metadata,
  } as KubernetesObject;
}

/** An object in the form of a resource's properties: `x-kubernetes-…` keys as the SDK spells them. */
export function propertiesOf(object: KubernetesObject): Properties {
  return mapKeys(object, (key) => (DASHED_KEY.test(key) ? key.replaceAll("-", "_") : key)) as Properties;
}

/** The namespace and name in a resource's id, which is the object's {@link keyOf}. */
export function parseId(id: string): { namespace?: string; name: string } {
  const slash = id.indexOf("/");
  return slash < 0 ? { name: id } : { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}

/** An annotation's value; undefined when it is absent or not known yet. */
export function annotation(object: Properties, key: string): string | undefined {
  const value = valueAt(object, ["metadata", "annotations", key]);
  return typeof value === "string" ? value : undefined;
}

/** Whether an annotation is set to `true`. */
export function isAnnotated(object: Properties, key: string): boolean {
  return annotation(object, key) === "true";
}

/** The value at a path of keys and indexes; undefined when there is none. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (parent, key) =>
      typeof key === "number"
        ? Array.isArray(parent)
          ? parent[key]
          : undefined
        : isObject(parent)
          ? parent[key]
          : undefined,
    value,
  );
}

/** A copy without the given keys. */
export function omit(object: Properties, keys: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function mapKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((element) => mapKeys(element, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [rename(key), mapKeys(inner, rename)]));
}
