/**
 * Stands in for a storage provisioner and resizer: gives each pending claim of our two classes its volume, and lets a volume
 * grow with its claim. A released volume stays, as `reclaimPolicy: Retain` says.
 *
 * Not simulated: data, capacity that runs out, attaching and mounting, a file system that is resized later than its volume.
 */

import { exceeds } from "@hearth-platform/hearth/core/quantities";
import type { KubeClient } from "../kubernetes/client.ts";
import { identity, type KubernetesObject } from "../kubernetes/objects.ts";
import { timestamp } from "./conditions.ts";
import type { Operator } from "./controller.ts";

/** Provisioner named by the storage classes in `manifests/storage-classes.yaml`. */
export const provisioner = "volumes.sandbox.hearth";

const manager = "volumes";
const claimKind = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
const volumeKind = { apiVersion: "v1", kind: "PersistentVolume" };
const classKind = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" };

export interface Claim extends KubernetesObject {
  spec: {
    storageClassName?: string;
    accessModes: string[];
    volumeMode?: string;
    volumeName?: string;
    resources: { requests: { storage: string } };
  };
  status?: { phase?: string; capacity?: { storage?: string } };
}

export interface StorageClass extends KubernetesObject {
  provisioner: string;
  reclaimPolicy?: string;
  allowVolumeExpansion?: boolean;
  /** `accessModes` is our own: `single-writer` or `multi-writer`. */
  parameters?: Record<string, string>;
}

/** Why a claim gets no volume: its class can't be had by several writers. Undefined when it gets one. */
export function refusal({ spec }: Claim, { metadata, parameters }: StorageClass): string | undefined {
  const shared = spec.accessModes.find((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");
  if (!shared || parameters?.accessModes !== "single-writer") return undefined;
  return `failed to provision volume with StorageClass "${metadata.name}": it is single-writer, ${shared} is not supported`;
}

/** The volume of a claim. */
export function volumeFor(claim: Claim, storageClass: StorageClass): KubernetesObject {
  const { name, namespace, uid = "" } = claim.metadata;
  return {
    ...volumeKind,
    metadata: { name: `pvc-${uid}`, annotations: { "pv.kubernetes.io/provisioned-by": provisioner } },
    spec: {
      storageClassName: storageClass.metadata.name,
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      accessModes: claim.spec.accessModes,
      volumeMode: claim.spec.volumeMode ?? "Filesystem",
      capacity: { storage: claim.spec.resources.requests.storage },
      claimRef: { ...claimKind, name, namespace, uid },
      csi: { driver: provisioner, volumeHandle: `pvc-${uid}` },
    },
  };
}

/** Whether a volume is kept for the claim by its name: the API's own controller binds them, and nothing is provisioned. */
export function isReserved({ metadata: { name, namespace } }: Claim, volumes: readonly KubernetesObject[]): boolean {
  return volumes.some((volume) => {
    const { claimRef } =
      (volume as { spec?: { claimRef?: { name?: string; namespace?: string; uid?: string } } }).spec ?? {};
    return claimRef?.name === name && claimRef.namespace === namespace && claimRef.uid === undefined;
  });
}

/** The size a bound claim asks for and does not have yet. */
export function growth({ spec, status }: Claim): string | undefined {
  const asked = spec.resources.requests.storage;
  const has = status?.capacity?.storage;
  return has && exceeds(asked, has) ? asked : undefined;
}

/** The operator for claims. */
export function volumes(client: KubeClient): Operator {
  return {
    reconciles: claimKind,
    dependsOn: [classKind, volumeKind],
    async reconcile(object, caches) {
      const claim = object as Claim;
      const storageClass = caches
        .list<StorageClass>(classKind)
        .find(({ metadata }) => metadata.name === claim.spec.storageClassName);
      if (storageClass?.provisioner !== provisioner) return;
      if (!claim.spec.volumeName) {
        if (isReserved(claim, caches.list(volumeKind))) return;
        const message = refusal(claim, storageClass);
        await client.createIfMissing(message ? failure(claim, message) : volumeFor(claim, storageClass), manager);
        return;
      }
      const storage = growth(claim);
      if (!storage || !storageClass.allowVolumeExpansion) return;
      const volume = { ...volumeKind, metadata: { name: claim.spec.volumeName } };
      // Only the capacity is applied, under a name of its own, so that nothing else of the volume is given up.
      await client.apply({ ...volume, spec: { capacity: { storage } } }, `${manager}-resizer`);
      await client.apply({ ...identity(claim), status: { capacity: { storage } } }, `${manager}-resizer`, "status");
    },
  };
}

/** The event that `kubectl describe pvc` shows. */
function failure(claim: Claim, message: string): KubernetesObject {
  const { name, namespace, uid } = claim.metadata;
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${uid}`, namespace },
    involvedObject: { ...claimKind, name, namespace, uid },
    type: "Warning",
    reason: "ProvisioningFailed",
    message,
    source: { component: provisioner },
    firstTimestamp: timestamp(),
    lastTimestamp: timestamp(),
    count: 1,
  };
}
