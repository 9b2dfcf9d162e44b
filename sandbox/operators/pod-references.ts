/**
 * Stands in for the part of a kubelet that looks up what a pod names: containers start only when the Secrets and ConfigMaps
 * of their environment and volumes are there, with the keys asked for. KWOK, which shows the rest of a pod's life, can't look.
 *
 * Not simulated: what is in them, and that a pod's other containers, and init containers before them, run while one waits. The Stages wait for condition
 * PodReadyToStartContainers, which a kubelet sets before it looks at environments.
 */

import {
  type Held,
  missingKeys,
  type PodReference,
  type Reference,
  referencesOf,
} from "@hearth-platform/stack/live/preflight/references";
import type { ContainerStatus, PodSpec } from "kubernetes-types/core/v1.d.ts";
import type { KubeClient } from "../kubernetes/client.ts";
import { identity, type Kind, type KubernetesObject } from "../kubernetes/objects.ts";
import { type Condition, timestamp, transition } from "./conditions.ts";
import type { Caches, Operator } from "./controller.ts";

const manager = "kubelet";
const kinds = {
  Secret: { apiVersion: "v1", kind: "Secret" },
  ConfigMap: { apiVersion: "v1", kind: "ConfigMap" },
} as const satisfies Record<string, Kind>;
const conditionType = "PodReadyToStartContainers";

export interface Pod extends KubernetesObject {
  spec: PodSpec;
  status?: {
    phase?: string;
    conditions?: Condition[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

/** The kubelet's message about a missing reference; undefined if nothing is missing. */
export function problem(
  { kind, name, keys }: Reference,
  namespace: string,
  held: Held | undefined,
): string | undefined {
  if (!held) return `${kind.toLowerCase()} "${name}" not found`;
  const [missing] = missingKeys(held, keys);
  return missing && `couldn't find key ${missing} in ${kind} ${namespace}/${name}`;
}

/** What keeps a pod from starting. */
export interface Obstacle {
  readonly reference: PodReference;
  /** Of a volume, what its set-up failed with. */
  readonly message: string;
}

/** The operator for pods that are about to start. */
export function podReferences(client: KubeClient): Operator {
  return {
    reconciles: { apiVersion: "v1", kind: "Pod" },
    dependsOn: Object.values(kinds),
    async reconcile(object, caches) {
      const pod = object as Pod;
      const started = pod.status?.conditions?.some(({ type, status }) => type === conditionType && status === "True");
      if (!pod.spec.nodeName || pod.status?.phase !== "Pending" || started) return;
      const obstacles = await findObstacles(client, pod, caches);
      for (const obstacle of obstacles.slice(0, 1)) await client.apply(warning(pod, obstacle), manager);
      const { name, namespace, resourceVersion } = pod.metadata;
      // The version: a status that KWOK wrote since then stays.
      const metadata = { name, namespace, resourceVersion } as Pod["metadata"];
      const status = waitingStatus(pod, obstacles);
      await client.apply(
        { ...identity(pod), ...(status.containerStatuses && { metadata }), status },
        manager,
        "status",
      );
    },
  };
}

async function findObstacles(client: KubeClient, pod: Pod, caches: Caches): Promise<Obstacle[]> {
  const { namespace = "" } = pod.metadata;
  const found: Obstacle[] = [];
  for (const reference of referencesOf(pod.spec)) {
    const { kind, name } = reference;
    const cached = caches
      .list<Held & KubernetesObject>(kinds[kind], namespace)
      .find(({ metadata }) => metadata.name === name);
    if (!problem(reference, namespace, cached)) continue;
    // The cache may lag behind: what was made in the same moment as the pod is no problem.
    const message = problem(
      reference,
      namespace,
      await client.get<Held & KubernetesObject>(kinds[kind], name, namespace),
    );
    if (message) found.push({ reference, message });
  }
  return found;
}

const configError = "CreateContainerConfigError";

/** The status of a pod that is about to start: each container waits for what it lacks, or for the others. */
export function waitingStatus({ spec, status = {} }: Pod, obstacles: readonly Obstacle[]): NonNullable<Pod["status"]> {
  const { initContainers = [], containers } = spec;
  const isStopped = obstacles.length > 0;
  const condition = { type: conditionType, status: isStopped ? ("False" as const) : ("True" as const) };
  const conditions = [transition(status.conditions, condition)];
  const shown = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  const wasStopped = shown.some(({ state }) => state?.waiting?.reason === configError);
  // Where nothing is in its way, the Stages alone show what becomes of it.
  if (!isStopped && !wasStopped) return { conditions };
  // A kubelet makes no container before all volumes are there.
  const lacking = obstacles.some(({ reference }) => reference.volume) ? [] : obstacles;
  const reason = initContainers.length > 0 ? "PodInitializing" : "ContainerCreating";
  const waiting = ({ name, image = "" }: PodSpec["containers"][number]): ContainerStatus => {
    const own = lacking.find(({ reference }) => reference.container === name);
    const state = { waiting: own ? { reason: configError, message: own.message } : { reason } };
    return { name, image, imageID: "", ready: false, started: false, restartCount: 0, state };
  };
  return {
    conditions,
    ...(initContainers.length > 0 && { initContainerStatuses: initContainers.map(waiting) }),
    containerStatuses: containers.map(waiting),
  };
}

/** The event of a pod that something is missing for, in the kubelet's words. */
export function warning(
  { metadata: { name, namespace, uid } }: Pod,
  { reference, message }: Obstacle,
): KubernetesObject {
  const { volume } = reference;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${uid}`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid },
    type: "Warning",
    reason: volume ? "FailedMount" : "Failed",
    message: volume ? `MountVolume.SetUp failed for volume "${volume}" : ${message}` : `Error: ${message}`,
    source: { component: manager },
    firstTimestamp: timestamp(),
    lastTimestamp: timestamp(),
    count: 1,
  };
}
