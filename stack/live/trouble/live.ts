import { dataName, type KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { Job } from "kubernetes-types/batch/v1.d.ts";
import type { Event, PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.d.ts";
import type { LiveCluster } from "../cluster/cluster.ts";
import { type Conditioned, look } from "../preflight/facts.ts";
import { referencesIn } from "../preflight/references.ts";

/** A challenge of an ACME server. */
interface Challenge extends KubernetesObject {
  readonly spec: { readonly dnsName?: string };
  readonly status?: { readonly state?: string; readonly reason?: string };
}

/** Live objects in the namespaces of a stack; empty if the caller may not list a kind, or the cluster does not serve it. */
export interface Live {
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly deployments: readonly Deployment[];
  readonly statefulSets: readonly StatefulSet[];
  readonly jobs: readonly Job[];
  readonly certificates: readonly Conditioned[];
  readonly certificateRequests: readonly Conditioned[];
  readonly challenges: readonly Challenge[];
  readonly externalSecrets: readonly Conditioned[];
  readonly events: readonly Event[];
}

/** Where a kind is listed: the group's path and the plural. */
export type ListPlace = readonly [group: string, plural: string];

const places: Readonly<Record<keyof Live, ListPlace>> = {
  pods: ["/api/v1", "pods"],
  claims: ["/api/v1", "persistentvolumeclaims"],
  deployments: ["/apis/apps/v1", "deployments"],
  statefulSets: ["/apis/apps/v1", "statefulsets"],
  jobs: ["/apis/batch/v1", "jobs"],
  certificates: ["/apis/cert-manager.io/v1", "certificates"],
  certificateRequests: ["/apis/cert-manager.io/v1", "certificaterequests"],
  challenges: ["/apis/acme.cert-manager.io/v1", "challenges"],
  externalSecrets: ["/apis/external-secrets.io/v1", "externalsecrets"],
  events: ["/api/v1", "events"],
};

/** Reads what runs in these namespaces, with one request for each kind in each. */
export async function lookAtLive(cluster: Pick<LiveCluster, "read">, namespaces: readonly string[]): Promise<Live> {
  const lists = Object.entries(places).map(async ([name, place]) => {
    const found = await Promise.all(namespaces.map((namespace) => listIn<object>(cluster, namespace, place)));
    return [name, found.flatMap((list) => (list === "unseen" ? [] : list))];
  });
  return Object.fromEntries(await Promise.all(lists)) as Live;
}

/** The objects of a kind in a namespace: none where the cluster does not serve it, `unseen` where the caller may not list it. */
export async function listIn<T>(
  cluster: Pick<LiveCluster, "read">,
  namespace: string,
  [group, plural]: ListPlace,
): Promise<readonly T[] | "unseen"> {
  const found = await look<{ items: T[] }>(cluster, `${group}/namespaces/${namespace}/${plural}`);
  return found === "absent" ? [] : found === "unseen" ? found : found.items;
}

/** The Secrets that pods and their templates read, as a state names what it has made. */
export function secretsRead({ pods, deployments, statefulSets }: Live): ReadonlySet<string> {
  const readers = [...pods, ...deployments, ...statefulSets] as readonly KubernetesObject[];
  const read = readers.flatMap((object) =>
    [...referencesIn(object)].map(({ kind, name }) => `${kind} ${dataName(name, object.metadata.namespace)}`),
  );
  return new Set(read);
}

/** The newest event of an object, which tells in its own words what it waits for. */
export function newestEvent({ events }: Pick<Live, "events">, uid: string | undefined): Event | undefined {
  const time = ({ lastTimestamp, eventTime, metadata }: Event) =>
    Math.floor((Date.parse(lastTimestamp ?? eventTime ?? metadata?.creationTimestamp ?? "") || 0) / 1_000);
  const own = events.filter(({ involvedObject }) => uid !== undefined && involvedObject?.uid === uid);
  // A kubelet writes whole seconds, a scheduler parts of them: of the same second, the warning is what the object waits for.
  const warns = ({ type }: Event) => Number(type === "Warning");
  return own.sort((a, b) => time(b) - time(a) || warns(b) - warns(a))[0];
}
