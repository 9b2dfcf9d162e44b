/**
 * Stands in for the part of a kubelet that looks up what a pod names: containers start only when the Secrets and ConfigMaps
 * of their environment and volumes are there, with the keys asked for. KWOK, which shows the rest of a pod's life, can't look.
 *
 * Not simulated: what is in them. A pod waits in condition PodReadyToStartContainers, with an event, where a kubelet
 * would show a container's CreateContainerConfigError for an environment and the same condition for a volume.
 */

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

/** A Secret or ConfigMap that a pod needs, whole or some keys of it. */
export interface Reference {
  readonly kind: keyof typeof kinds;
  readonly name: string;
  readonly keys: readonly string[];
  /** The volume that needs it; none for an environment. */
  readonly volume?: string;
}

interface Selector {
  name?: string;
  secretName?: string;
  key?: string;
  optional?: boolean;
  items?: { key: string }[];
}

interface Container {
  env?: { valueFrom?: { secretKeyRef?: Selector; configMapKeyRef?: Selector } }[];
  envFrom?: { secretRef?: Selector; configMapRef?: Selector }[];
}

interface Source {
  secret?: Selector;
  configMap?: Selector;
}

export interface Pod extends KubernetesObject {
  spec: {
    nodeName?: string;
    containers: Container[];
    initContainers?: Container[];
    volumes?: ({ name: string; projected?: { sources?: Source[] } } & Source)[];
  };
  status?: { phase?: string; conditions?: Condition[] };
}

interface Held extends KubernetesObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

/** All that a pod can't start without. */
export function referencesOf({ spec }: Pod): Reference[] {
  const found: Reference[] = [];
  const add = (kind: Reference["kind"], selector: Selector | undefined, volume?: string) => {
    const name = selector?.secretName ?? selector?.name;
    if (!selector || !name || selector.optional) return;
    const keys = [...(selector.key ? [selector.key] : []), ...(selector.items ?? []).map(({ key }) => key)];
    found.push({ kind, name, keys, ...(volume && { volume }) });
  };
  for (const { name, projected, ...source } of spec.volumes ?? [])
    for (const { secret, configMap } of [source, ...(projected?.sources ?? [])]) {
      add("Secret", secret, name);
      add("ConfigMap", configMap, name);
    }
  for (const { env = [], envFrom = [] } of [...(spec.initContainers ?? []), ...spec.containers]) {
    for (const { valueFrom } of env) {
      add("Secret", valueFrom?.secretKeyRef);
      add("ConfigMap", valueFrom?.configMapKeyRef);
    }
    for (const { secretRef, configMapRef } of envFrom) {
      add("Secret", secretRef);
      add("ConfigMap", configMapRef);
    }
  }
  return found;
}

/** The kubelet's message about a missing reference; undefined if nothing is missing. */
export function problem(
  { kind, name, keys }: Reference,
  namespace: string,
  held: Held | undefined,
): string | undefined {
  if (!held) return `${kind.toLowerCase()} "${name}" not found`;
  const missing = keys.find((key) => held.data?.[key] === undefined && held.binaryData?.[key] === undefined);
  return missing && `couldn't find key ${missing} in ${kind} ${namespace}/${name}`;
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
      const obstacle = await findObstacle(client, pod, caches);
      if (obstacle) await client.apply(warning(pod, obstacle), manager);
      const condition = transition(pod.status.conditions, {
        type: conditionType,
        status: obstacle ? "False" : "True",
        ...(obstacle && { reason: obstacle.reason, message: obstacle.message }),
      });
      await client.apply({ ...identity(pod), status: { conditions: [condition] } }, manager, "status");
    },
  };
}

interface Obstacle {
  readonly reason: string;
  readonly message: string;
}

async function findObstacle(client: KubeClient, pod: Pod, caches: Caches): Promise<Obstacle | undefined> {
  const { namespace = "" } = pod.metadata;
  for (const reference of referencesOf(pod)) {
    const { kind, name, volume } = reference;
    const cached = caches.list<Held>(kinds[kind], namespace).find(({ metadata }) => metadata.name === name);
    if (!problem(reference, namespace, cached)) continue;
    // The cache may lag behind: what was made in the same moment as the pod is no problem.
    const message = problem(reference, namespace, await client.get<Held>(kinds[kind], name, namespace));
    if (message && volume)
      return { reason: "FailedMount", message: `MountVolume.SetUp failed for volume "${volume}" : ${message}` };
    if (message) return { reason: "CreateContainerConfigError", message };
  }
  return undefined;
}

function warning({ metadata: { name, namespace, uid } }: Pod, { reason, message }: Obstacle): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${uid}`, namespace },
    involvedObject: { apiVersion: "v1", kind: "Pod", name, namespace, uid },
    type: "Warning",
    reason: reason === "FailedMount" ? reason : "Failed",
    message: reason === "FailedMount" ? message : `Error: ${message}`,
    source: { component: manager },
    firstTimestamp: timestamp(),
    lastTimestamp: timestamp(),
    count: 1,
  };
}
