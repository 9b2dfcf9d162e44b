import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { type Cluster, clusterObjects, instanceNames } from "@hearth-platform/sandbox/operators/cloudnative-pg";
import { clusterStatus, type Pod } from "@hearth-platform/sandbox/operators/database-cluster";
import { instanceClaims, instancePod } from "@hearth-platform/sandbox/operators/database-instance";
import { type Pooler, poolerObjects } from "@hearth-platform/sandbox/operators/pooler";

/** What the sandbox's stand-in for CloudNativePG makes for a Cluster and its Pooler. */
export function standInObjects(cluster: Cluster, pooler: Pooler): KubernetesObject[] {
  const instances = instanceNames(cluster);
  return [
    ...clusterObjects(cluster),
    ...instances.flatMap((name) => [...instanceClaims(cluster, name), instancePod(cluster, name)]),
    ...poolerObjects(pooler),
  ];
}

/** What it says of a Cluster with these pods and a backup. */
export function standInStatus(cluster: Cluster, pods: readonly KubernetesObject[]): object {
  // It knows its own pods by an annotation.
  const own = pods.map((pod) => {
    const { annotations } = instancePod(cluster, pod.metadata.name).metadata;
    return { ...pod, metadata: { ...pod.metadata, annotations } } as Pod;
  });
  return clusterStatus({ ...cluster, status: undefined }, { pods: own, completedBackups: 1 });
}

/** Places where a stand-in makes something else, by the reason why it may. */
export type Differences = Readonly<Record<string, readonly string[]>>;

/** Where the sandbox's stand-in for CloudNativePG makes other objects than CloudNativePG's controllers. */
export const objectDifferences: Differences = {
  "the API server and the scheduler choose it": [
    "PersistentVolumeClaim spec.volumeName",
    "Pod spec.containers[postgres].volumeMounts[/var/run/secrets/kubernetes.io/serviceaccount].name",
    "Pod spec.initContainers[bootstrap-controller].volumeMounts[/var/run/secrets/kubernetes.io/serviceaccount].name",
    "Pod spec.nodeName",
    "Pod spec.volumes[kube-api-access]",
    "Service spec.clusterIP",
    "Service spec.clusterIPs[0]",
  ],
  "the API server copies it from the node once the pod has one": [
    "Pod metadata.labels.topology.kubernetes.io/region",
    "Pod metadata.labels.topology.kubernetes.io/zone",
  ],
  "nothing of ours reads these labels": [
    "PersistentVolumeClaim metadata.labels.app.kubernetes.io/instance",
    "Pod metadata.labels.app.kubernetes.io/version",
    "PodDisruptionBudget metadata.labels.app.kubernetes.io/version",
    "Service metadata.labels.app.kubernetes.io/version",
    "ServiceAccount metadata.labels",
    "ServiceAccount metadata.labels.app.kubernetes.io/component",
    "ServiceAccount metadata.labels.app.kubernetes.io/instance",
    "ServiceAccount metadata.labels.app.kubernetes.io/name",
  ],
  "the objects are deleted with their owner all the same": [
    "PersistentVolumeClaim metadata.ownerReferences[forge-db].blockOwnerDeletion",
    "PodDisruptionBudget metadata.ownerReferences[forge-db].blockOwnerDeletion",
    "Service metadata.ownerReferences[forge-db].blockOwnerDeletion",
    "ServiceAccount metadata.ownerReferences[forge-db].blockOwnerDeletion",
  ],
  "no program runs in a simulated pod, and no image is pulled": [
    ...["METRICS_PORT_TLS", "PGDATABASE", "PGHOST", "PGUSER", "PSQL_HISTORY"].map(
      (name) => `Deployment spec.template.spec.containers[pgbouncer].env[${name}]`,
    ),
    ...["PGDATA", "PGHOST", "PGPORT", "PSQL_HISTORY", "TMPDIR"].map(
      (name) => `Pod spec.containers[postgres].env[${name}]`,
    ),
    "Pod spec.containers[postgres].command[4]",
    "Pod spec.initContainers[bootstrap-controller].command[3]",
    "ServiceAccount imagePullSecrets",
  ],
  "the stand-in makes no certificates": [
    "Deployment spec.template.spec.volumes[ca]",
    "Deployment spec.template.spec.volumes[server-tls]",
  ],
  "the stand-in has no plugins": [
    "Pod spec.containers[postgres].volumeMounts[/plugins]",
    "Pod spec.initContainers[plugin-barman-cloud]",
    "Pod spec.volumes[plugins]",
  ],
};

/** The same of a Cluster's status. */
export const statusDifferences: Differences = {
  "moments differ": [
    "conditions[Initialized].lastTransitionTime",
    "conditions[Ready].lastTransitionTime",
    "currentPrimaryTimestamp",
    "targetPrimaryTimestamp",
  ],
  "nothing of ours reads it": [
    "availableArchitectures",
    "certificates",
    "cloudNativePGCommitHash",
    "cloudNativePGOperatorHash",
    "conditions[ConsistentSystemID]",
    "configMapResourceVersion",
    "instancesReportedState",
    "managedRolesStatus",
    "operatorCertificateFingerprint",
    "pgDataImageInfo",
    "pluginStatus",
    "poolerIntegrations",
    "secretsResourceVersion",
    "switchReplicaClusterStatus",
    "systemID",
  ],
  "an instance and the controller of Backups write it, which stay simulated": [
    "conditions[ContinuousArchiving]",
    "conditions[LastBackupSucceeded]",
  ],
};

/** All places of a table, sorted. */
export const listed = (table: Differences): string[] => Object.values(table).flat().sort();
