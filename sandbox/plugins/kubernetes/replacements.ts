/**
 * Fields whose change replaces the object: the official provider's list (pulumi-kubernetes,
 * provider/pkg/provider/diff.go).
 */
import type { Properties } from "../grpc.ts";
import type { Settings } from "./session.ts";

const ROLE_BINDING = ["roleRef"];

const CONTAINER = [
  "args",
  "command",
  "env",
  "image",
  "imagePullPolicy",
  "lifecycle",
  "livenessProbe",
  "ports",
  "readinessProbe",
  "resources",
  "securityContext",
  "stdin",
  "stdinOnce",
  "terminationMessagePath",
  "terminationMessagePolicy",
  "tty",
  "volumeDevices",
  "volumeMounts",
  "workingDir",
];

const POD = [
  "affinity",
  "automountServiceAccountToken",
  "dnsConfig",
  "dnsPolicy",
  "enableServiceLinks",
  "hostAliases",
  "hostIPC",
  "hostNetwork",
  "hostPID",
  "hostname",
  "imagePullSecrets",
  "nodeName",
  "nodeSelector",
  "overhead",
  "preemptionPolicy",
  "priority",
  "priorityClassName",
  "readinessGates",
  "restartPolicy",
  "runtimeClassName",
  "schedulerName",
  "securityContext",
  "serviceAccount",
  "serviceAccountName",
  "shareProcessNamespace",
  "subdomain",
  "terminationGracePeriodSeconds",
  "volumes",
  ...CONTAINER.flatMap((field) => [`containers[*].${field}`, `initContainers[*].${field}`]),
];

const VOLUME_SOURCES = [
  "awsElasticBlockStore",
  "azureDisk",
  "azureFile",
  "cephfs",
  "cinder",
  "csi",
  "fc",
  "flexVolume",
  "flocker",
  "gcePersistentDisk",
  "glusterfs",
  "hostPath",
  "iscsi",
  "local",
  "nfs",
  "photonPersistentDisk",
  "portworxVolume",
  "quobyte",
  "rbd",
  "scaleIO",
  "storageos",
  "vsphereVolume",
];

const spec = (...fields: string[]) => fields.map((field) => `spec.${field}`);

const FIELDS: Record<string, readonly string[]> = {
  "apps/v1/DaemonSet": spec("selector"),
  "apps/v1/Deployment": spec("selector"),
  "apps/v1/StatefulSet": spec(
    "podManagementPolicy",
    "revisionHistoryLimit",
    "selector",
    "serviceName",
    "volumeClaimTemplates",
  ),
  "batch/v1/Job": spec("completions", "parallelism", "selector", "template"),
  "policy/v1beta1/PodDisruptionBudget": ["spec"],
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": ROLE_BINDING,
  "rbac.authorization.k8s.io/v1/RoleBinding": ROLE_BINDING,
  "storage.k8s.io/v1/StorageClass": ["parameters", "provisioner"],
  "v1/PersistentVolume": spec(...VOLUME_SOURCES),
  "v1/PersistentVolumeClaim": spec("accessModes", "selector", "storageClassName", "volumeName"),
  "v1/Pod": spec(...POD),
  "v1/ResourceQuota": spec("scopes"),
  "v1/Secret": ["type"],
  "v1/Service": spec("clusterIP"),
};

/** The object's identity, which no object keeps through a change. */
const IDENTITY = ["metadata.name", "metadata.namespace"];

/**
 * The paths whose change replaces an object (`[*]` is any element). A ConfigMap's and a Secret's data are among them
 * unless the provider says they are mutable and the object does not say it is immutable. A patch resource is replaced
 * for another object only.
 */
export function replacingFields(object: Properties, settings: Settings, patch = false): string[] {
  if (patch) return IDENTITY;
  const kind = `${object.apiVersion}/${object.kind}`;
  if (kind === "v1/Secret" && (!settings.enableSecretMutable || object.immutable === true)) {
    return [...IDENTITY, "type", "stringData", "data"];
  }
  if (kind === "v1/ConfigMap" && (!settings.enableConfigMapMutable || object.immutable === true)) {
    return [...IDENTITY, "binaryData", "data"];
  }
  return [...IDENTITY, ...(FIELDS[kind] ?? [])];
}
