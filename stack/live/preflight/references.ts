import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { PodSpec } from "kubernetes-types/core/v1.d.ts";

/** A Secret or ConfigMap that something needs, whole or some keys of it. */
export interface Reference {
  readonly kind: "Secret" | "ConfigMap";
  readonly name: string;
  readonly keys: readonly string[];
}

/** What a pod needs. */
export interface PodReference extends Reference {
  /** The volume that needs it; none for an environment. */
  readonly volume?: string;
  /** The container whose environment needs it; none for a volume. */
  readonly container?: string;
}

/** The part of the API's references that is read here, as Secrets and ConfigMaps are named in volumes and environments. */
interface Selector {
  readonly name?: string;
  readonly secretName?: string;
  readonly key?: string;
  readonly optional?: boolean;
  readonly items?: readonly { readonly key: string }[];
}

/** All that a pod can't start without, volumes first, as a kubelet looks for it. */
export function referencesOf({ volumes = [], initContainers = [], containers }: PodSpec): PodReference[] {
  const mounted = volumes.flatMap(({ name: volume, secret, configMap, projected }) =>
    [{ secret, configMap }, ...(projected?.sources ?? [])].flatMap((source) => [
      ...needed("Secret", source.secret, { volume }),
      ...needed("ConfigMap", source.configMap, { volume }),
    ]),
  );
  const read = [...initContainers, ...containers].flatMap(({ name: container, env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => [
      ...needed("Secret", valueFrom?.secretKeyRef, { container }),
      ...needed("ConfigMap", valueFrom?.configMapKeyRef, { container }),
    ]),
    ...envFrom.flatMap(({ secretRef, configMapRef }) => [
      ...needed("Secret", secretRef, { container }),
      ...needed("ConfigMap", configMapRef, { container }),
    ]),
  ]);
  return [...mounted, ...read];
}

function needed(
  kind: Reference["kind"],
  selector: Selector | undefined,
  place: Pick<PodReference, "volume" | "container"> = {},
): PodReference[] {
  const name = selector?.secretName ?? selector?.name;
  if (!selector || !name || selector.optional) return [];
  const { key, items = [] } = selector;
  return [{ kind, name, keys: [...(key ? [key] : []), ...items.map((item) => item.key)], ...place }];
}

/** Fields by which CloudNativePG's and its plugin's objects name Secrets. */
const secretFields = /^(secret|passwordSecret|endpointCA|accessKeyId|secretAccessKey)$/;

/** Everything that an object's pods need, and what databases and their archives read. */
export function* referencesIn(object: KubernetesObject): Generator<Reference> {
  const ofDatabase = object.kind === "Cluster" || object.kind === "ObjectStore";
  function* within(value: unknown): Generator<Reference> {
    if (typeof value !== "object" || value === null) return;
    if ("containers" in value && Array.isArray(value.containers)) yield* referencesOf(value as PodSpec);
    for (const [field, child] of Object.entries(value)) {
      if (ofDatabase && secretFields.test(field)) yield* needed("Secret", child as Selector);
      yield* within(child);
    }
  }
  yield* within(object);
}

/** A Secret or ConfigMap, as far as its keys are told. */
export interface Held {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}

/** Those of the keys that the object does not have. */
export function missingKeys({ data, binaryData }: Held, keys: readonly string[]): string[] {
  return keys.filter((key) => data?.[key] === undefined && binaryData?.[key] === undefined);
}
