import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";
import type { PlannedSecret } from "./secrets.ts";

/** A Kubernetes object as plain data, in the form the API server stores it. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly name: string };
}

/** An object and what its creation needs to know. */
export interface PlannedObject {
  readonly object: KubernetesObject;
  /**
   * Ids (`Kind/name`, see `objectId`) of objects of the same plan that must be ready first.
   * What an object names (Secrets, ConfigMaps, volume claims, service accounts, its database cluster) need not be listed.
   */
  readonly after?: readonly string[];
  /** True where deleting or replacing the object loses data: it is protected, and kept when it leaves the program. */
  readonly holdsData?: boolean;
  /** What `allowDataLoss` calls it where that is not its `dataName`. @default its namespace and name */
  readonly dataName?: string;
  /** Paths of fields that something in the cluster owns, e.g. `spec.replicas` under an autoscaler. */
  readonly ignoreChanges?: readonly string[];
  /** Paths of fields that can't change in place: the object is deleted and made anew. Only where that loses no data. */
  readonly replaceOnChanges?: readonly string[];
}

/** A bucket of the object store, made with the provider's S3 API. */
export interface PlannedBucket {
  /** The bucket's name, known at preview. */
  readonly bucket: string;
  /** Keep former versions of an object. */
  readonly versioning: boolean;
  /** Days until a former version goes; absent: never. Only where the provider has lifecycle rules. */
  readonly expireVersionsAfterDays?: number;
}

/** All that a component creates, decided before anything is created: a pure function of its arguments. */
export interface Plan {
  readonly secrets: readonly PlannedSecret[];
  readonly objects: readonly PlannedObject[];
  readonly buckets: readonly PlannedBucket[];
}

/** `Kind/name`: how objects of one plan refer to each other. A plan's objects of one kind have different names. */
export function objectId(object: KubernetesObject): string {
  return `${object.kind}/${object.metadata.name}`;
}

/** What `allowDataLoss` calls something that holds data: `namespace/name`; a namespace or a bucket, which is in none, by its name. */
export function dataName(name: string, namespace?: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A plan of the parts given, joined in their order. */
export function joinPlans(...parts: readonly Partial<Plan>[]): Plan {
  return {
    secrets: parts.flatMap((part) => part.secrets ?? []),
    objects: parts.flatMap((part) => part.objects ?? []),
    buckets: parts.flatMap((part) => part.buckets ?? []),
  };
}
