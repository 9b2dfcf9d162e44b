/** Kubernetes objects as plain JSON, the way the API server gives and takes them. */

/** Identifies a kind of object to the API server. */
export interface Kind {
  /** For example `apps/v1`, or `v1`. */
  readonly apiVersion: string;
  readonly kind: string;
}

/** Names an object without saying anything about it. */
export interface Reference extends Kind {
  metadata: { name: string; namespace?: string };
}

/** An object of any kind. */
export interface KubernetesObject extends Kind {
  metadata: Metadata;
  [field: string]: unknown;
}

/** The parts of `metadata` that are read or written here. */
export interface Metadata {
  name: string;
  namespace?: string;
  uid?: string;
  generation?: number;
  resourceVersion?: string;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  managedFields?: ManagedFields[];
  ownerReferences?: OwnerReference[];
  [field: string]: unknown;
}

/** Whom an object belongs to. */
export interface OwnerReference extends Kind {
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Who set which fields: `fieldsV1` is a tree of `f:<field>` keys. */
export interface ManagedFields {
  manager: string;
  operation: "Apply" | "Update";
  subresource?: string;
  fieldsV1: Record<string, unknown>;
  [field: string]: unknown;
}

/** A list as the API server gives it: its items, and where a watch goes on from. */
export interface KubernetesList<T extends KubernetesObject = KubernetesObject> {
  metadata: { resourceVersion: string };
  items: T[];
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: KubernetesObject;
}

/** Key of an object among those of its kind: `namespace/name`, or only the name of a cluster-scoped object. */
export function keyOf({ metadata: { name, namespace } }: Reference): string {
  return namespace ? `${namespace}/${name}` : name;
}

/** An object's kind and name, to which a status is added to apply it. */
export function identity({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): KubernetesObject {
  return { apiVersion, kind, metadata: { name, namespace } };
}

/** Reference that makes `owner` the controller of an object: it is collected with its owner. @throws Error for an owner without a uid */
export function controlledBy(owner: KubernetesObject): OwnerReference {
  const { apiVersion, kind } = owner;
  const { name, uid } = owner.metadata;
  if (!uid) throw new Error(`${kind} ${name} has no uid: it was not read from the API server.`);
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
