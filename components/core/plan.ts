import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";

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
  /** Its name in `allowDataLoss`, if that is not its `dataName`. @default its namespace and name */
  readonly dataName?: string;
  /** Paths of fields that something in the cluster owns, e.g. `spec.replicas` under an autoscaler. */
  readonly ignoreChanges?: readonly string[];
  /** Other versions of its API in which Pulumi's state may have it: the same object under another type. @default none */
  readonly otherVersions?: readonly string[];
  /** Of a network policy: why each of its rules is there, in their order. */
  readonly reasons?: { readonly ingress: readonly string[]; readonly egress: readonly string[] };
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

/** How a value of a generated Secret comes about. Kept in state; never re-rolled unless the revision changes. */
export type SecretValue =
  /** Plain text that is no secret itself, such as a user name. */
  | { readonly value: string }
  /** That many random alphanumerics: safe in URLs, shells and configuration files. With `mixed` at least a digit and a letter of each case. */
  | { readonly password: number; readonly mixed?: boolean }
  /** The bcrypt hash of the password under this other key, salted once. A store holds it beside the password. */
  | { readonly bcrypt: string }
  /** That many random bytes, base64. */
  | { readonly bytes: number }
  /** That many random bytes, two hexadecimal digits each. */
  | { readonly hex: number }
  /** A private key: its algorithm, and the form it is written in. */
  | { readonly privateKey: KeyAlgorithm; readonly form: "pem" | "openssh" }
  /** The public half of the private key under this other key, as OpenSSH writes it. */
  | { readonly publicKeyOf: string }
  /** The same value as another component's generated Secret has under a key. Who takes it depends on that component. */
  | { readonly copyOf: SecretValuePlace }
  /** Text with `{key}` for other keys of the same Secret, which are no templates themselves; `{key|indent 4}` moves all its lines to the right. */
  | { readonly template: string };

/** Where a value of a Secret is. */
export interface SecretValuePlace {
  readonly namespace: string;
  /** Name of the Secret. */
  readonly name: string;
  readonly key: string;
}

/** Algorithms of private keys: RSA with 3072 bits, ECDSA on the curve P-256, Ed25519. */
export type KeyAlgorithm = "RSA" | "ECDSA" | "ED25519";

/** A Secret the stack generates. */
export interface PlannedSecret {
  readonly name: string;
  readonly namespace: string;
  /** @default Opaque */
  readonly type?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, SecretValue>>;
  /** Changing it loses data (encryption keys, the password in a running database): it is protected and no revision changes it. */
  readonly neverChanges?: boolean;
  /** Raised to make new values. @default 0 */
  readonly revision: number;
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

/** Name in `allowDataLoss` of an object that holds data: `namespace/name`, or only the name for a namespace or a bucket. */
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
