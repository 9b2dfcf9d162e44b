/**
 * Stands in for a storage provisioner and resizer: gives each pending claim of our two classes its volume, and lets a volume
 * grow with its claim. A released volume stays, as `reclaimPolicy: Retain` says.
 *
 * What it does not show: data, capacity that runs out, attaching and mounting, a file system that is resized later than its volume.
 */
import type { Operator } from "./controller.ts";
import { identity, type KubeClient, type KubeObject } from "./kube.ts";
import { bytes } from "./quantity.ts";

/** Provisioner named by the storage classes in `manifests/storage-classes.yaml`. */
export const provisioner = "volumes.sandbox.hearth";

const manager = "volumes";
const claimKind = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
const volumeKind = { apiVersion: "v1", kind: "PersistentVolume" };
const classKind = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass" };

export interface Claim extends KubeObject {
  spec: {
    storageClassName?: string;
    accessModes: string[];
    volumeMode?: string;
    volumeName?: string;
    resources: { requests: { storage: string } };
  };
  status?: { phase?: string; capacity?: { storage?: string } };
}

export interface StorageClass extends KubeObject {
  provisioner: string;
  reclaimPolicy?: string;
  allowVolumeExpansion?: boolean;
  /** `accessModes` is our own: `single-writer` or `multi-writer`. */
  parameters?: Record<string, string>;
}

/**
 * The volume of a claim.
 * @throws when the class can't be had by several writers and the claim asks for it
 */
export function volumeFor(claim: Claim, storageClass: StorageClass): KubeObject {
  const { name, namespace, uid = "" } = claim.metadata;
  const shared = claim.spec.accessModes.find((mode) => mode === "ReadWriteMany" || mode === "ReadOnlyMany");
  if (shared && storageClass.parameters?.accessModes === "single-writer")
    throw new Error(`storage class ${storageClass.metadata.name} is single-writer: it gives no volume for ${shared}`);
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

/** The size a bound claim asks for and does not have yet. */
export function growth({ spec, status }: Claim): string | undefined {
  const asked = spec.resources.requests.storage;
  const has = status?.capacity?.storage;
  return has && bytes(asked) > bytes(has) ? asked : undefined;
}

/** The operator for claims. */
export function volumes(client: KubeClient): Operator {
  return {
    reconciles: claimKind,
    dependsOn: [classKind],
    async reconcile(object, caches) {
      const claim = object as Claim;
      const storageClass = caches
        .list<StorageClass>(classKind)
        .find(({ metadata }) => metadata.name === claim.spec.storageClassName);
      if (storageClass?.provisioner !== provisioner) return;
      if (!claim.spec.volumeName) return client.createIfMissing(volumeFor(claim, storageClass), manager);
      const storage = growth(claim);
      if (!storage || !storageClass.allowVolumeExpansion) return;
      const volume = { ...volumeKind, metadata: { name: claim.spec.volumeName } };
      // Only the capacity is applied, under a name of its own, so that nothing else of the volume is given up.
      await client.apply({ ...volume, spec: { capacity: { storage } } }, `${manager}-resizer`);
      await client.apply({ ...identity(claim), status: { capacity: { storage } } }, `${manager}-resizer`, "status");
    },
  };
}
