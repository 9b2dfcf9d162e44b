/**
 * Stands in for CloudNativePG 1.30's Cluster: makes the services, the `-app` secret, a claim and a pod for each instance,
 * one after the other, replaces pods whose spec changed, follows changes of size and number, and reports it as the operator does.
 *
 * Not simulated: PostgreSQL (no image runs, no SQL, no extension, no `initdb` or recovery Job: the pods are KWOK's),
 * failover and switchover (instance 1 is always primary), certificates and their secrets, roles, the Barman sidecar, WAL in
 * the bucket, image catalogs, hibernation and fencing, and the admission webhooks' checks.
 */

import { exceeds } from "@hearth-platform/hearth/core/quantities";
import type { KubeClient } from "../kubernetes/client.ts";
import type { KubernetesObject } from "../kubernetes/objects.ts";
import {
  apiVersion,
  appSecret,
  bootstrapOf,
  type Cluster,
  clusterObjects,
  imageOf,
  instanceNames,
  manager,
} from "./cloudnative-pg.ts";
import { type Condition, timestamp, transition } from "./conditions.ts";
import { type Caches, type Operator, report } from "./controller.ts";
import { instanceClaims, instancePod } from "./database-instance.ts";

const podKind = { apiVersion: "v1", kind: "Pod" };
const claimKind = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
const secretKind = { apiVersion: "v1", kind: "Secret" };
const serviceKind = { apiVersion: "v1", kind: "Service" };
const backupKind = { apiVersion, kind: "Backup" };
const objectStoreKind = { apiVersion: "barmancloud.cnpg.io/v1", kind: "ObjectStore" };
const barmanPlugin = "barman-cloud.cloudnative-pg.io";

export interface Pod extends KubernetesObject {
  spec: { nodeName?: string };
  status?: { conditions?: Condition[] };
}

interface Claim extends KubernetesObject {
  spec: { resources: { requests: { storage: string } } };
}

export interface Backup extends KubernetesObject {
  spec: { cluster: { name: string } };
  status?: { phase?: string };
}

interface ObjectStore extends KubernetesObject {
  spec: { configuration: { s3Credentials?: Record<string, { name?: string } | undefined> } };
}

/** State that the operator would observe. */
export interface Observation {
  /** Pods of the cluster, also those being deleted. */
  readonly pods: readonly Pod[];
  /** Backups of the cluster that ended well. */
  readonly completedBackups: number;
  /** Why the operator can't go on, with its phase; none when all is there. */
  readonly obstacle?: { readonly phase: string; readonly reason: string };
  /** Why no WAL could be archived; none when all is there. */
  readonly archivingProblem?: string;
}

export const isReady = ({ status, metadata }: Pod): boolean =>
  !metadata.deletionTimestamp &&
  status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true;

/**
 * The next change to a cluster's pods: one at a time, the primary first made and last replaced, and only while all
 * others are ready.
 */
export function nextPodChange(
  cluster: Cluster,
  pods: readonly Pod[],
): { create: KubernetesObject } | { remove: Pod } | undefined {
  const wanted = instanceNames(cluster);
  const surplus = pods.find(({ metadata }) => !wanted.includes(metadata.name) && !metadata.deletionTimestamp);
  if (surplus) return { remove: surplus };
  for (const name of wanted) {
    const pod = pods.find(({ metadata }) => metadata.name === name);
    if (!pod) return { create: instancePod(cluster, name) };
    if (pod.metadata.deletionTimestamp) return undefined;
    if (!isReady(pod) && !isOutdated(cluster, pod)) return undefined;
  }
  const outdated = pods.filter((pod) => isOutdated(cluster, pod)).sort((a, b) => serial(b) - serial(a))[0];
  return outdated && pods.every((pod) => pod === outdated || isReady(pod)) ? { remove: outdated } : undefined;
}

const specAnnotation = "cnpg.io/podSpec";
const serial = ({ metadata }: Pod) => Number(metadata.annotations?.["cnpg.io/nodeSerial"]);

function isOutdated(cluster: Cluster, pod: Pod): boolean {
  const wanted = instancePod(cluster, pod.metadata.name).metadata.annotations?.[specAnnotation];
  return pod.metadata.annotations?.[specAnnotation] !== wanted;
}

/** The cluster's status, from what is there. */
export function clusterStatus(cluster: Cluster, seen: Observation, now = timestamp()) {
  const names = instanceNames(cluster);
  const ready = names.filter((name) => seen.pods.some((pod) => pod.metadata.name === name && isReady(pod)));
  const complete = ready.length === names.length && seen.pods.every((pod) => !isOutdated(cluster, pod));
  const healthy = complete && !seen.obstacle;
  const [primary = ""] = names;
  const { name } = cluster.metadata;
  const before = cluster.status ?? {};
  const condition = (type: string, status: boolean, reason: string, message: string) =>
    transition(before.conditions, { type, status: status ? "True" : "False", reason, message }, now);
  const archives = cluster.spec.plugins?.some(({ enabled, isWALArchiver }) => enabled !== false && isWALArchiver);
  const { archivingProblem } = seen;
  return {
    instances: names.length,
    readyInstances: ready.length,
    instanceNames: names,
    instancesStatus: ready.length > 0 ? { healthy: ready } : {},
    selector: `cnpg.io/cluster=${name},cnpg.io/podRole=instance`,
    phase: healthy
      ? "Cluster in healthy state"
      : (seen.obstacle?.phase ?? unfinishedPhase(cluster, ready.length, names)),
    ...(seen.obstacle && { phaseReason: seen.obstacle.reason }),
    image: imageOf(cluster),
    targetPrimary: primary,
    targetPrimaryTimestamp: before.targetPrimaryTimestamp ?? now,
    ...(ready.includes(primary) && {
      currentPrimary: primary,
      currentPrimaryTimestamp: before.currentPrimaryTimestamp ?? now,
      timelineID: 1,
    }),
    writeService: `${name}-rw`,
    readService: `${name}-r`,
    pvcCount: names.length * (cluster.spec.walStorage ? 2 : 1),
    healthyPVC: names.flatMap((instance) => instanceClaims(cluster, instance).map(({ metadata }) => metadata.name)),
    topology: {
      successfullyExtracted: true,
      instances: Object.fromEntries(ready.map((instance) => [instance, {}])),
      nodesUsed: new Set(seen.pods.map(({ spec }) => spec.nodeName).filter(Boolean)).size,
    },
    conditions: [
      healthy
        ? condition("Ready", true, "ClusterIsReady", "Cluster is Ready")
        : condition("Ready", false, "ClusterIsNotReady", "Cluster Is Not Ready"),
      ...(ready.includes(primary)
        ? [condition("Initialized", true, "BootstrapCompleted", "Cluster has been bootstrapped")]
        : [condition("Initialized", false, "BootstrapPending", "Cluster has not been bootstrapped yet")]),
      ...(archives && ready.includes(primary)
        ? [
            archivingProblem
              ? condition("ContinuousArchiving", false, "ContinuousArchivingFailing", archivingProblem)
              : condition("ContinuousArchiving", true, "ContinuousArchivingSuccess", "Continuous archiving is working"),
          ]
        : []),
      ...(seen.completedBackups > 0
        ? [condition("LastBackupSucceeded", true, "LastBackupSucceeded", "Backup was successful")]
        : []),
    ],
  };
}

function unfinishedPhase(cluster: Cluster, ready: number, names: readonly string[]): string {
  if (!cluster.status?.currentPrimaryTimestamp) return "Setting up primary";
  return ready < names.length ? "Creating a new replica" : "Upgrading cluster";
}

/** The operator for Clusters. */
export function databaseClusters(client: KubeClient): Operator {
  return {
    reconciles: { apiVersion, kind: "Cluster" },
    owns: [podKind, claimKind, serviceKind],
    dependsOn: [secretKind, objectStoreKind, backupKind],
    async reconcile(object, caches) {
      const cluster = object as Cluster;
      const seen = observe(cluster, caches);
      for (const each of clusterObjects(cluster)) await client.apply(each, manager);
      if (!bootstrapOf(cluster).secret) await client.createIfMissing(appSecret(cluster), manager);
      if (!seen.obstacle) await progress(client, cluster, seen.pods, caches);
      await report(client, cluster, clusterStatus(cluster, seen), manager);
    },
  };
}

async function progress(client: KubeClient, cluster: Cluster, pods: readonly Pod[], caches: Caches): Promise<void> {
  const claims = caches.list<Claim>(claimKind, cluster.metadata.namespace).filter(belongsTo(cluster));
  for (const wanted of claims) {
    const instance = wanted.metadata.labels?.["cnpg.io/instanceName"] ?? "";
    if (!instanceNames(cluster).includes(instance)) await client.delete(wanted);
    else await growClaim(client, cluster, instance, wanted);
  }
  const change = nextPodChange(cluster, pods);
  if (!change) return;
  if ("remove" in change) return client.delete(change.remove);
  for (const claim of instanceClaims(cluster, change.create.metadata.name))
    await client.createIfMissing(claim, manager);
  await client.createIfMissing(change.create, manager);
}

/** A claim can only grow; a smaller size is left alone, for the operator's webhook would have refused it. */
async function growClaim(client: KubeClient, cluster: Cluster, instance: string, held: Claim): Promise<void> {
  const wanted = instanceClaims(cluster, instance).find(({ metadata }) => metadata.name === held.metadata.name);
  const size = (wanted as Claim | undefined)?.spec.resources.requests.storage;
  if (wanted && size && exceeds(size, held.spec.resources.requests.storage)) await client.apply(wanted, manager);
}

function observe(cluster: Cluster, caches: Caches): Observation {
  const { name, namespace } = cluster.metadata;
  const backups = caches.list<Backup>(backupKind, namespace);
  const secrets = new Set(caches.list(secretKind, namespace).map(({ metadata }) => metadata.name));
  const { secret } = bootstrapOf(cluster);
  const plugin = cluster.spec.plugins?.find((each) => each.name === barmanPlugin && each.enabled !== false);
  const storeName = plugin?.parameters?.barmanObjectName;
  const store = caches
    .list<ObjectStore>(objectStoreKind, namespace)
    .find(({ metadata }) => metadata.name === storeName);
  const credentials = Object.values(store?.spec.configuration.s3Credentials ?? {});
  const missing = credentials.find((selector) => selector?.name && !secrets.has(selector.name))?.name;
  const missingStore = plugin && !store;
  return {
    pods: caches.list<Pod>(podKind, namespace).filter(belongsTo(cluster)),
    completedBackups: backups.filter(({ spec, status }) => spec.cluster.name === name && status?.phase === "completed")
      .length,
    ...(secret && !secrets.has(secret)
      ? { obstacle: { phase: "Setting up primary", reason: `Waiting for secret "${secret}"` } }
      : missingStore && {
          obstacle: {
            phase: "Cluster cannot proceed to reconciliation due to an error while interacting with plugins",
            reason: `ObjectStore.barmancloud.cnpg.io "${storeName}" not found`,
          },
        }),
    ...(missing && { archivingProblem: `secrets "${missing}" not found` }),
  };
}

const belongsTo = (cluster: Cluster) => (object: KubernetesObject) =>
  object.metadata.ownerReferences?.some(({ uid }) => uid === cluster.metadata.uid) === true;
