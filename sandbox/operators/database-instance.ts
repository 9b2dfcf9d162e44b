import type { KubernetesObject } from "../kubernetes/objects.ts";
import {
  type Cluster,
  imageOf,
  metadata,
  operatorImage,
  podSecurityContext,
  port,
  type Storage,
  securityContext,
} from "./cloudnative-pg.ts";

const postgresUser = 26;

/** Claims of one instance: its data, and its log if that has a volume of its own. */
export function instanceClaims(cluster: Cluster, instance: string): KubernetesObject[] {
  const { storage, walStorage } = cluster.spec;
  const claim = (name: string, role: string, { size, storageClass }: Storage): KubernetesObject => ({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: metadata(cluster, name, instanceLabels(cluster, instance, { "cnpg.io/pvcRole": role }), {
      "cnpg.io/nodeSerial": instance.slice(cluster.metadata.name.length + 1),
      "cnpg.io/pvcStatus": "ready",
    }),
    spec: {
      accessModes: ["ReadWriteOnce"],
      ...(storageClass && { storageClassName: storageClass }),
      resources: { requests: { storage: size } },
    },
  });
  return [
    ...(storage ? [claim(instance, "PG_DATA", storage)] : []),
    ...(walStorage ? [claim(`${instance}-wal`, "PG_WAL", walStorage)] : []),
  ];
}

/** Pod of one instance. Annotation `cnpg.io/podSpec` holds the wanted spec, as with the operator: a difference asks for a restart. */
export function instancePod(cluster: Cluster, instance: string): KubernetesObject {
  const spec = podSpec(cluster, instance);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata(cluster, instance, instanceLabels(cluster, instance, { "cnpg.io/podRole": "instance" }), {
      "cnpg.io/nodeSerial": instance.slice(cluster.metadata.name.length + 1),
      "cnpg.io/operatorVersion": "1.30.0",
      "cnpg.io/podSpec": JSON.stringify(spec),
    }),
    spec,
  };
}

function podSpec(cluster: Cluster, instance: string): object {
  const { spec } = cluster;
  const { affinity = {} } = spec;
  const volumes = instanceClaims(cluster, instance).map(({ metadata: { name } }) => ({
    name: name.endsWith("-wal") ? "pg-wal" : "pgdata",
    persistentVolumeClaim: { claimName: name },
  }));
  const volumeMounts = [
    { name: "pgdata", mountPath: "/var/lib/postgresql/data" },
    { name: "scratch-data", mountPath: "/run" },
    { name: "scratch-data", mountPath: "/controller" },
    { name: "shm", mountPath: "/dev/shm" },
    ...(spec.walStorage ? [{ name: "pg-wal", mountPath: "/var/lib/postgresql/wal" }] : []),
  ];
  const container = { imagePullPolicy: spec.imagePullPolicy, resources: spec.resources, volumeMounts, securityContext };
  const probe = (path: string) => ({
    httpGet: { path, port: 8000, scheme: "HTTPS" },
    periodSeconds: 10,
    timeoutSeconds: 5,
  });
  return {
    hostname: instance,
    serviceAccountName: cluster.metadata.name,
    ...(spec.imagePullSecrets && { imagePullSecrets: spec.imagePullSecrets }),
    ...(spec.priorityClassName && { priorityClassName: spec.priorityClassName }),
    ...(spec.schedulerName && { schedulerName: spec.schedulerName }),
    terminationGracePeriodSeconds: spec.stopDelay ?? 1800,
    nodeSelector: affinity.nodeSelector,
    tolerations: affinity.tolerations,
    affinity: antiAffinity(cluster),
    topologySpreadConstraints: spec.topologySpreadConstraints,
    securityContext: podSecurityContext(postgresUser, postgresUser),
    initContainers: [
      {
        ...container,
        name: "bootstrap-controller",
        image: operatorImage,
        command: ["/manager", "bootstrap", "/controller/manager"],
      },
    ],
    containers: [
      {
        ...container,
        name: "postgres",
        image: imageOf(cluster),
        command: ["/controller/manager", "instance", "run", "--status-port-tls"],
        env: [
          { name: "POD_NAME", value: instance },
          { name: "NAMESPACE", value: cluster.metadata.namespace },
          { name: "CLUSTER_NAME", value: cluster.metadata.name },
        ],
        ports: [
          { name: "postgresql", containerPort: port, protocol: "TCP" },
          { name: "metrics", containerPort: 9187, protocol: "TCP" },
          { name: "status", containerPort: 8000, protocol: "TCP" },
        ],
        startupProbe: { ...probe("/startupz"), failureThreshold: 360 },
        readinessProbe: probe("/readyz"),
        livenessProbe: probe("/healthz"),
      },
    ],
    volumes: [...volumes, { name: "scratch-data", emptyDir: {} }, { name: "shm", emptyDir: { medium: "Memory" } }],
  };
}

function antiAffinity({ metadata, spec: { affinity = {} } }: Cluster): object | undefined {
  if (affinity.enablePodAntiAffinity === false) return undefined;
  const matchExpressions = [
    { key: "cnpg.io/cluster", operator: "In", values: [metadata.name] },
    { key: "cnpg.io/podRole", operator: "In", values: ["instance"] },
  ];
  const term = { labelSelector: { matchExpressions }, topologyKey: affinity.topologyKey ?? "kubernetes.io/hostname" };
  return affinity.podAntiAffinityType === "required"
    ? { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    : {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] },
      };
}

function instanceLabels(cluster: Cluster, instance: string, more: Record<string, string>): Record<string, string> {
  const role = instance === `${cluster.metadata.name}-1` ? "primary" : "replica";
  return { "cnpg.io/instanceName": instance, "cnpg.io/instanceRole": role, role, ...more };
}
