/** Reads which manager owns which fields of an object, and transfers them. */

import { ApiError } from "../../kubernetes/api.ts";
import type { KubernetesObject, ManagedFields } from "../../kubernetes/objects.ts";
import { isObject, type Properties } from "../grpc.ts";
import { valueAt } from "./objects.ts";
import type { Path } from "./paths.ts";
import type { Cluster } from "./session.ts";
import { CREATE_MANAGER } from "./state.ts";

/** Managers that set fields without applying them; what they own of our object becomes ours with the first apply. */
const TAKEN_OVER: readonly { prefix: string; operations: readonly ManagedFields["operation"][] }[] = [
  { prefix: CREATE_MANAGER, operations: ["Update"] },
  { prefix: "kubectl", operations: ["Apply", "Update"] },
  { prefix: "before-first-apply", operations: ["Update"] },
];

/** Whether the object is as it was created: its fields not yet owned by a manager that applies. */
export function isCreateOwned({ metadata }: KubernetesObject): boolean {
  return (metadata.managedFields ?? []).some(
    ({ manager, operation }) => manager === CREATE_MANAGER && operation === "Update",
  );
}

/** How often the fields are handed over anew when a controller wrote the object in between. */
const HAND_OVER_ATTEMPTS = 5;

/**
 * Hands the fields that were created (or set by kubectl) to our manager, so that leaving one out of an apply removes
 * it. Returns the object.
 * @throws ApiError where the server refuses it
 */
export async function takeOverFields(
  { api, discovery }: Cluster,
  live: KubernetesObject,
  fieldManager: string,
  signal: AbortSignal,
): Promise<KubernetesObject> {
  const path = await discovery.path(live);
  let current = live;
  for (let attempt = 1; ; attempt++) {
    const entries = current.metadata.managedFields ?? [];
    const merged = mergeManagers(entries, fieldManager);
    if (merged === entries) return current;
    const body = [
      { op: "replace", path: "/metadata/managedFields", value: merged },
      { op: "replace", path: "/metadata/resourceVersion", value: current.metadata.resourceVersion },
    ];
    try {
      return await api.request("PATCH", path, { body, contentType: "application/json-patch+json", signal });
    } catch (error) {
      if (!isOutdated(error) || attempt === HAND_OVER_ATTEMPTS) throw error;
      current = await api.get(path, { signal });
    }
  }
}

/** Whether the API server says that the object was written since it was read. */
function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}

/** The entries with those of {@link TAKEN_OVER} as part of our manager's; the same array when there are none. */
export function mergeManagers(entries: ManagedFields[], fieldManager: string): ManagedFields[] {
  const isTaken = (entry: ManagedFields) =>
    entry.subresource === undefined &&
    TAKEN_OVER.some(
      ({ prefix, operations }) => entry.manager?.startsWith(prefix) && operations.includes(entry.operation),
    );
  const isOurs = (entry: ManagedFields) => entry.manager === fieldManager && entry.operation === "Apply";
  const taken = entries.filter(isTaken);
  const [first] = taken;
  if (!first) return entries;
  const ours = entries.find(isOurs) ?? { ...first, manager: fieldManager, operation: "Apply" };
  const fieldsV1 = [...taken, ours].map((entry) => entry.fieldsV1).reduce(union);
  return [...entries.filter((entry) => !isTaken(entry) && !isOurs(entry)), { ...ours, fieldsV1 }];
}

/** Whether a field is owned by others and not by our manager. Paths through arrays are not looked into. */
export function isOthersField({ metadata }: KubernetesObject, path: Path, fieldManager: string): boolean {
  const key = path.map((part) => `f:${part}`);
  const owners = (metadata.managedFields ?? []).filter(({ fieldsV1 }) => valueAt(fieldsV1, key) !== undefined);
  return owners.length > 0 && !owners.some(({ manager }) => manager === fieldManager);
}

function union(one: Properties, other: Properties): Properties {
  const result = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const existing = result[key];
    result[key] = isObject(existing) && isObject(value) ? union(existing, value) : value;
  }
  return result;
}
