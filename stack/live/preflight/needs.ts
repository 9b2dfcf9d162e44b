import { dataName, type KubernetesObject, type Plan } from "@hearth-platform/hearth/core/plan";
import { privateCa as privateCaSchema } from "@hearth-platform/hearth/core/platform-schema";
import { resolve } from "@hearth-platform/hearth/core/resolve";
import type { ScheduledBackup } from "@hearth-platform/hearth/kubernetes/custom-resources/scheduled-backup";
import type { Stack } from "../../stack-settings.ts";
import { type Reference, referencesIn } from "./references.ts";

/** A stack's requirements of the cluster, read from its objects. */
export interface Needs {
  /** Kinds of its objects, each once. */
  readonly kinds: readonly ApiKind[];
  readonly classes: readonly ClassNeed[];
  readonly issuers: readonly IssuerNeed[];
  readonly stores: readonly StoreNeed[];
  /** Secrets and ConfigMaps that the settings name instead of the stack's own. */
  readonly awaited: readonly AwaitedNeed[];
  /** Secrets that the stack makes itself. */
  readonly secrets: readonly SecretNeed[];
  /** Namespaces that the stack makes. */
  readonly made: readonly NamespaceNeed[];
  /** Namespaces that it puts objects into and does not make. */
  readonly used: readonly string[];
}

export type ApiKind = Pick<KubernetesObject, "apiVersion" | "kind">;

/** A storage class. */
export interface ClassNeed {
  /** Empty: the cluster's default. */
  readonly name: string;
  /** Volumes that several pods write. */
  readonly shared: boolean;
}

/** An issuer of certificates. */
export interface IssuerNeed {
  readonly kind: string;
  readonly name: string;
  /** Of an Issuer. */
  readonly namespace: string | undefined;
  /** A name with a wildcard is among what it issues, e.g. `*.pages.example.org`; empty: none. */
  readonly wildcard: string;
}

/** A store of External Secrets. */
export interface StoreNeed {
  readonly kind: string;
  readonly name: string;
  /** Of a SecretStore. */
  readonly namespace: string | undefined;
  /** Keys that it must hold, each as `key property`. */
  readonly keys: readonly string[];
}

/** A Secret or ConfigMap that somebody else makes. */
export interface AwaitedNeed extends Reference {
  readonly apiVersion: "v1";
  readonly namespace: string;
}

export interface SecretNeed {
  readonly namespace: string;
  readonly name: string;
}

export interface NamespaceNeed {
  readonly name: string;
  /** Nothing but sites is in it. */
  readonly sites: boolean;
}

/** Every object of the plans, with the Secrets they make. */
export function objectsOf(plans: readonly Plan[]): KubernetesObject[] {
  return plans.flatMap(({ secrets, objects }) => [
    ...secrets.map(({ name, namespace }) => ({ apiVersion: "v1", kind: "Secret", metadata: { name, namespace } })),
    ...objects.map(({ object }) => object),
  ]);
}

/** The schedules of backups among a stack's objects: one for each database that has backups. */
export function scheduledBackupsOf(objects: readonly KubernetesObject[]): (ScheduledBackup & KubernetesObject)[] {
  return objects.filter((object): object is ScheduledBackup & KubernetesObject => object.kind === "ScheduledBackup");
}

/** Settings that name objects which are not the stack's. */
type Naming = Pick<Stack["settings"], "secrets" | "privateCa">;

/** The requirements of these objects. */
export function needsOf(objects: readonly KubernetesObject[], settings: Naming = {}): Needs {
  const made = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
  const used = new Set(objects.flatMap(({ metadata: { namespace } }) => namespace ?? []));
  return {
    kinds: distinct(objects.map(({ apiVersion, kind }) => ({ apiVersion, kind }))),
    classes: classesOf(objects),
    issuers: issuersOf(objects),
    stores: storesOf(objects),
    awaited: awaitedOf(objects, settings),
    secrets: objects.flatMap(({ kind, metadata: { name, namespace } }) =>
      kind === "Secret" && namespace !== undefined ? [{ namespace, name }] : [],
    ),
    made: made.map((name) => ({ name, sites: hasOnlySites(name, objects) })),
    used: [...used].filter((name) => !made.includes(name)),
  };
}

/** Every namespace that the stack puts objects into. */
export function namespacesOf({ made, used }: Needs): string[] {
  return [...made.map(({ name }) => name), ...used];
}

/** A claim for a volume, where it stands in an object. */
interface Claim {
  readonly storageClassName?: string;
  readonly accessModes?: readonly string[];
}

function classesOf(objects: readonly KubernetesObject[]): ClassNeed[] {
  const needs = objects.flatMap((object) => [...claims(object)]);
  const names = [...new Set(needs.map(({ name }) => name))];
  return names.map((name) => ({ name, shared: needs.some((need) => need.name === name && need.shared) }));
}

/** A claim has access modes beside its class; an operator's storage has the class alone. */
function* claims(value: unknown): Generator<ClassNeed> {
  if (typeof value !== "object" || value === null) return;
  const { storageClassName, accessModes } = value as Claim;
  if (Array.isArray(accessModes)) yield { name: storageClassName ?? "", shared: accessModes.includes("ReadWriteMany") };
  for (const [key, child] of Object.entries(value)) {
    if (key === "storageClass" && typeof child === "string") yield { name: child, shared: false };
    yield* claims(child);
  }
}

interface Certificate extends KubernetesObject {
  readonly spec: { readonly dnsNames?: readonly string[]; readonly issuerRef: { kind?: string; name: string } };
}

function issuersOf(objects: readonly KubernetesObject[]): IssuerNeed[] {
  const issued = objects
    .filter((object): object is Certificate => object.kind === "Certificate")
    .map(({ metadata: { namespace }, spec: { dnsNames = [], issuerRef } }) => {
      const { kind = "Issuer", name } = issuerRef;
      const wildcard = dnsNames.find((host) => host.startsWith("*.")) ?? "";
      return { kind, name, namespace: kind === "Issuer" ? namespace : undefined, wildcard };
    });
  return merged(issued, (need, others) => ({
    ...need,
    wildcard: others.find((each) => each.wildcard)?.wildcard ?? "",
  }));
}

interface ExternalSecret extends KubernetesObject {
  readonly spec: {
    readonly secretStoreRef?: { kind?: string; name: string };
    readonly data?: readonly { readonly remoteRef: { readonly key: string; readonly property?: string } }[];
  };
}

function storesOf(objects: readonly KubernetesObject[]): StoreNeed[] {
  const read = objects
    .filter((object): object is ExternalSecret => object.kind === "ExternalSecret")
    .flatMap(({ metadata: { namespace }, spec: { secretStoreRef, data = [] } }) => {
      if (!secretStoreRef) return [];
      const { kind = "SecretStore", name } = secretStoreRef;
      const keys = data.map(({ remoteRef: { key, property = "" } }) => `${key} ${property}`.trim());
      return [{ kind, name, namespace: kind === "SecretStore" ? namespace : undefined, keys }];
    });
  return merged(read, (need, others) => ({ ...need, keys: [...new Set(others.flatMap(({ keys }) => keys))] }));
}

/** What the objects read of the Secrets and the authority that the settings name. */
function awaitedOf(objects: readonly KubernetesObject[], { secrets, privateCa }: Naming): AwaitedNeed[] {
  const existing = new Set(Object.values(secrets?.existing ?? {}));
  const authority = new Set([`ConfigMap ${privateCa?.configMap}`, `Secret ${privateCa?.secret}`]);
  const own = new Set(objects.flatMap(secretMadeBy));
  const authorityKey = resolve(privateCaSchema.shape.key, privateCa?.key);
  const read = objects.flatMap((object) => {
    const { namespace } = object.metadata;
    if (namespace === undefined) return [];
    return [...referencesIn(object)].flatMap(({ kind, name, keys }): AwaitedNeed[] => {
      const need = { apiVersion: "v1" as const, kind, namespace, name };
      if (kind === "Secret" && own.has(dataName(name, namespace))) return [];
      if (privateCa && authority.has(`${kind} ${name}`)) return [{ ...need, keys: [authorityKey] }];
      return kind === "Secret" && existing.has(name) ? [{ ...need, keys }] : [];
    });
  });
  return merged(read, (need, same) => ({ ...need, keys: [...new Set(same.flatMap(({ keys }) => keys))] }));
}

/** The Secret that an object is or makes, as `namespace/name`. */
function secretMadeBy({ kind, metadata: { name, namespace }, ...object }: KubernetesObject): string[] {
  if (kind === "Secret" || kind === "ExternalSecret") return [dataName(name, namespace)];
  const { secretName } = (object as { spec?: { secretName?: string } }).spec ?? {};
  return kind === "Certificate" && secretName ? [dataName(secretName, namespace)] : [];
}

/** Needs of the same object as one. */
function merged<Need extends { kind: string; name: string; namespace: string | undefined }>(
  needs: readonly Need[],
  merge: (need: Need, same: readonly Need[]) => Need,
): Need[] {
  const groups = Map.groupBy(needs, ({ kind, namespace, name }) => JSON.stringify([kind, namespace, name]));
  return [...groups.values()].map((same) => merge(same[0] as Need, same));
}

function hasOnlySites(namespace: string, objects: readonly KubernetesObject[]): boolean {
  const inside = objects.filter((object) => object.metadata.namespace === namespace);
  return inside.length > 0 && inside.every(({ kind }) => ["StaticSite", "Role", "RoleBinding"].includes(kind));
}

function distinct(kinds: readonly ApiKind[]): ApiKind[] {
  return [...new Map(kinds.map((each) => [`${each.apiVersion}/${each.kind}`, each])).values()];
}
