import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { Namespace, PersistentVolume } from "kubernetes-types/core/v1.d.ts";
import type { StorageClass } from "kubernetes-types/storage/v1.d.ts";
import { type LiveCluster, Refusal } from "../cluster/cluster.ts";
import type { DataNeed } from "./data-needs.ts";
import { type ApiKind, type Needs, namespacesOf } from "./needs.ts";

/** An object as the cluster shows it; `unseen` where the caller may not read it. */
export type Looked<T = KubernetesObject> = T | "absent" | "unseen";

/** A custom resource, as far as its conditions tell whether it is ready. */
export interface Conditioned extends KubernetesObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The condition of a type; undefined while nobody has written it. */
export function conditionOf({ status }: Conditioned, type: string): Condition | undefined {
  return status?.conditions?.find((each) => each.type === type);
}

/** Facts about a cluster that take few requests. */
export interface QuickFacts {
  /** UID of the namespace kube-system, which no two clusters share. */
  readonly identity: string | undefined;
  /** Kinds it serves, each `apiVersion/kind`. */
  readonly served: ReadonlySet<string>;
  readonly classes: readonly StorageClass[] | "unseen";
  /** Issuers, secret stores, namespaces, what others make and what holds data, by their `placeOf`. */
  readonly objects: ReadonlyMap<string, Looked>;
  /** Names of the Secrets in each namespace for which the stack makes some. */
  readonly secrets?: ReadonlyMap<string, ReadonlySet<string> | "unseen">;
  /** Names in the stack's state, see `madeNames`; absent if the state is not known. */
  readonly made?: ReadonlySet<string>;
  /** Names in the stack's state of the values that it generated; absent if the state is not known. */
  readonly generated?: ReadonlySet<string>;
  /** The state is known, and no update has begun anything. */
  readonly isEmpty?: boolean;
  /** Volumes by the claim that each is reserved for, `namespace/name`; looked at only where a claim is absent. */
  readonly reserved?: ReadonlyMap<string, string>;
}

/** Where an object is: `Kind/name`, or `Kind/namespace/name`. */
export function placeOf({
  kind,
  namespace,
  name,
}: {
  kind: string;
  namespace?: string | undefined;
  name: string;
}): string {
  return [kind, namespace, name].filter((part) => part !== undefined).join("/");
}

/** Looks at the cluster: one request for all kinds, one for the classes, one for the cluster's identity, one for each issuer, store, namespace, Secret of others and what holds data, one for the Secrets' names in each namespace, all at once; where a claim is absent, one for all volumes. */
export async function lookQuickly(cluster: LiveCluster, needs: Needs, data: readonly DataNeed[]): Promise<QuickFacts> {
  const version = (kind: string) => needs.kinds.find((each) => each.kind === kind)?.apiVersion ?? "";
  const wanted = [
    ...needs.issuers.map((need) => ({ ...need, apiVersion: version("Certificate") })),
    ...needs.stores.map((need) => ({ ...need, apiVersion: version("ExternalSecret") })),
    ...namespacesOf(needs).map((name) => ({
      ...{ apiVersion: "v1", kind: "Namespace", namespace: undefined, name },
    })),
    ...needs.awaited,
    ...data,
  ];
  const namespaces = [...new Set(needs.secrets.map(({ namespace }) => namespace))];
  const [served, classes, system, secrets, ...found] = await Promise.all([
    servedKinds(cluster, needs.kinds),
    look<{ items: StorageClass[] }>(cluster, "/apis/storage.k8s.io/v1/storageclasses"),
    look<Namespace>(cluster, "/api/v1/namespaces/kube-system"),
    Promise.all(namespaces.map(async (each) => [each, await secretNames(cluster, each)] as const)),
    ...wanted.map((each) => look(cluster, pathOf(each))),
  ]);
  const objects = new Map(wanted.map((each, index) => [placeOf(each), found[index] ?? "unseen"]));
  const isLost = data.some((need) => need.kind === "PersistentVolumeClaim" && objects.get(placeOf(need)) === "absent");
  return {
    served,
    identity: typeof system === "string" ? undefined : system.metadata?.uid,
    classes: typeof classes === "string" ? "unseen" : classes.items,
    secrets: new Map(secrets),
    objects,
    ...(isLost && { reserved: await reservedVolumes(cluster) }),
  };
}

/** Volumes that Kubernetes gives to nothing but the claim that they name, as soon as somebody makes it. */
async function reservedVolumes(cluster: LiveCluster): Promise<ReadonlyMap<string, string>> {
  const found = await look<{ items: PersistentVolume[] }>(cluster, "/api/v1/persistentvolumes");
  if (typeof found === "string") return new Map();
  return new Map(
    found.items.flatMap(({ metadata, spec, status }) => {
      const { namespace, name } = spec?.claimRef ?? {};
      if (status?.phase !== "Available" || name === undefined) return [];
      return [[dataName(name, namespace), metadata?.name ?? ""] as const];
    }),
  );
}

/** Names without values: PartialObjectMetadata of k8s.io/apimachinery pkg/apis/meta/v1/types.go. */
const namesOnly = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** Names of the Secrets in a namespace. */
export async function secretNames(
  cluster: Pick<LiveCluster, "read">,
  namespace: string,
): Promise<ReadonlySet<string> | "unseen"> {
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const found = await look<{ items: KubernetesObject[] | null }>(cluster, path, namesOnly);
  return typeof found === "string" ? "unseen" : new Set((found.items ?? []).map(({ metadata }) => metadata.name));
}

/** Reads what stands at a path of the API, as far as the caller may. @throws Error where the API server can't be reached */
export async function look<T = KubernetesObject>(
  cluster: Pick<LiveCluster, "read">,
  path: string,
  accept?: string,
): Promise<Looked<T>> {
  try {
    return (await cluster.read<T>(path, accept)) ?? "absent";
  } catch (error) {
    if (error instanceof Refusal) return "unseen";
    throw error;
  }
}

/** The plural of these kinds is the kind with an s. */
function pathOf({
  apiVersion,
  kind,
  namespace,
  name,
}: ApiKind & { namespace: string | undefined; name: string }): string {
  const plural = `${kind.toLowerCase()}s`;
  const place = namespace === undefined ? [plural, name] : ["namespaces", namespace, plural, name];
  return `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}/${place.join("/")}`;
}

/** Discovery in one answer: https://kubernetes.io/docs/concepts/overview/kubernetes-api/#aggregated-discovery */
interface Discovery {
  readonly kind: string;
  readonly items?: readonly {
    readonly metadata: { readonly name: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly { readonly responseKind?: { readonly kind: string } }[];
    }[];
  }[];
}

const discovery = ["v2", "v2beta1"].map(
  (v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`,
);

/** The kinds that are served; of an API server before 1.27, which lists them a version at a time, those that are needed. */
async function servedKinds(cluster: LiveCluster, kinds: readonly ApiKind[]): Promise<Set<string>> {
  const core = kinds.filter(({ apiVersion }) => apiVersion === "v1").map(asText);
  const answer = await cluster.read<Discovery>("/apis", [...discovery, "application/json"].join());
  if (answer?.kind === "APIGroupDiscoveryList") {
    const served = (answer.items ?? []).flatMap(({ metadata, versions }) =>
      versions.flatMap(({ version, resources = [] }) =>
        resources.map(({ responseKind }) => `${metadata.name}/${version}/${responseKind?.kind}`),
      ),
    );
    return new Set([...core, ...served]);
  }
  const found = await Promise.all(kinds.map((kind) => cluster.kind(kind)));
  return new Set([...core, ...kinds.filter((_, index) => found[index] !== undefined).map(asText)]);
}

function asText({ apiVersion, kind }: ApiKind): string {
  return `${apiVersion}/${kind}`;
}
