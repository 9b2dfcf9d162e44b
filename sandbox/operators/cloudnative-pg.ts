import { randomBytes } from "node:crypto";
import { controlledBy, type KubernetesObject } from "../kubernetes/objects.ts";
import type { Condition } from "./conditions.ts";

export const apiVersion = "postgresql.cnpg.io/v1";
/** Field manager of all that the stand-in writes; also the operator's `app.kubernetes.io/managed-by`. */
export const manager = "cloudnative-pg";
const defaultImage = "ghcr.io/cloudnative-pg/postgresql:18.4-system-trixie";
/** Image of the operator, which puts its manager into every pod. */
export const operatorImage = "ghcr.io/cloudnative-pg/cloudnative-pg:1.30.0";
/** Port of every instance and pooler. */
export const port = 5432;

/** A Cluster, as far as the stand-in reads it. Source: api/v1/cluster_types.go of cloudnative-pg 1.30. */
export interface Cluster extends KubernetesObject {
  spec: {
    instances?: number;
    imageName?: string;
    imagePullPolicy?: string;
    imagePullSecrets?: { name: string }[];
    storage?: Storage;
    walStorage?: Storage;
    resources?: object;
    priorityClassName?: string;
    schedulerName?: string;
    stopDelay?: number;
    enablePDB?: boolean;
    bootstrap?: Partial<Record<"initdb" | "recovery" | "pg_basebackup", Bootstrap>>;
    affinity?: {
      nodeSelector?: Record<string, string>;
      tolerations?: object[];
      topologyKey?: string;
      enablePodAntiAffinity?: boolean;
      podAntiAffinityType?: "required" | "preferred";
    };
    topologySpreadConstraints?: object[];
    plugins?: { name: string; enabled?: boolean; isWALArchiver?: boolean; parameters?: Record<string, string> }[];
    inheritedMetadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  };
  status?: {
    conditions?: Condition[];
    currentPrimaryTimestamp?: string;
    targetPrimaryTimestamp?: string;
  };
}

export interface Storage {
  size?: string;
  storageClass?: string;
}

interface Bootstrap {
  database?: string;
  owner?: string;
  secret?: { name: string };
  source?: string;
}

/** Names of the instances, `<cluster>-1` first; the stand-in keeps that one primary. */
export function instanceNames({ metadata, spec }: Cluster): string[] {
  return Array.from({ length: spec.instances ?? 1 }, (_, index) => `${metadata.name}-${index + 1}`);
}

/** The image every instance runs. */
export function imageOf({ spec }: Cluster): string {
  return spec.imageName ?? defaultImage;
}

/** How the cluster gets its first data; the application's database and owner are `app` by default. */
export function bootstrapOf({ spec }: Cluster): { database: string; owner: string; secret?: string } {
  const { initdb, recovery, pg_basebackup: copy } = spec.bootstrap ?? {};
  const { database = "app", owner = database, secret } = initdb ?? recovery ?? copy ?? {};
  return { database, owner, secret: secret?.name };
}

/** Objects that the operator makes once for a cluster: account, services, disruption budgets. */
export function clusterObjects(cluster: Cluster): KubernetesObject[] {
  const { name } = cluster.metadata;
  const ready = { "cnpg.io/cluster": name, "cnpg.io/podRole": "instance" };
  const budgets = [
    pdb(cluster, `${name}-primary`, { "cnpg.io/cluster": name, "cnpg.io/instanceRole": "primary" }, 1),
    pdb(
      cluster,
      name,
      { "cnpg.io/cluster": name, "cnpg.io/instanceRole": "replica" },
      (cluster.spec.instances ?? 1) - 2,
    ),
  ];
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: metadata(cluster, name) },
    service(cluster, `${name}-rw`, { "cnpg.io/cluster": name, "cnpg.io/instanceRole": "primary" }),
    service(cluster, `${name}-ro`, { "cnpg.io/cluster": name, "cnpg.io/instanceRole": "replica" }),
    service(cluster, `${name}-r`, ready),
    ...(cluster.spec.enablePDB === false ? [] : budgets.slice(0, (cluster.spec.instances ?? 1) > 2 ? 2 : 1)),
  ];
}

function service(cluster: Cluster, name: string, selector: Record<string, string>): KubernetesObject {
  const ports = [{ name: "postgres", port, targetPort: port, protocol: "TCP" }];
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: metadata(cluster, name),
    spec: { type: "ClusterIP", ports, selector },
  };
}

function pdb(
  cluster: Cluster,
  name: string,
  matchLabels: Record<string, string>,
  minAvailable: number,
): KubernetesObject {
  const spec = { minAvailable: Math.max(minAvailable, 1), selector: { matchLabels } };
  return { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: metadata(cluster, name), spec };
}

/** Secret `<cluster>-app`, made only when no secret is given; each call makes another password. */
export function appSecret(cluster: Cluster): KubernetesObject {
  const { name, namespace } = cluster.metadata;
  const { database, owner } = bootstrapOf(cluster);
  const password = randomBytes(48).toString("base64url");
  const host = `${name}-rw`;
  const uri = (domain: string) => `postgresql://${owner}:${password}@${host}.${domain}:${port}/${database}`;
  const jdbc = (domain: string) =>
    `jdbc:postgresql://${host}.${domain}:${port}/${database}?password=${password}&user=${owner}`;
  const meta = metadata(cluster, `${name}-app`);
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { ...meta, labels: { ...meta.labels, "cnpg.io/reload": "true", "cnpg.io/userType": "app" } },
    type: "kubernetes.io/basic-auth",
    stringData: {
      username: owner,
      user: owner,
      password,
      dbname: database,
      host,
      port: String(port),
      pgpass: `${host}:${port}:${database}:${owner}:${password}\n`,
      uri: uri(`${namespace}`),
      "jdbc-uri": jdbc(`${namespace}`),
      "fqdn-uri": uri(`${namespace}.svc.cluster.local`),
      "fqdn-jdbc-uri": jdbc(`${namespace}.svc.cluster.local`),
    },
  };
}

/** Security context of the containers the operator makes. */
export const securityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  privileged: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  seccompProfile: { type: "RuntimeDefault" },
};

/** Security context of the pods the operator makes. */
export function podSecurityContext(user: number, group: number) {
  const seccompProfile = { type: "RuntimeDefault" };
  return { runAsNonRoot: true, runAsUser: user, runAsGroup: group, fsGroup: group, seccompProfile };
}

/** Labels of all that belongs to a cluster; `component` is `database` or `pooler`. */
export function clusterLabels(cluster: string, component: "database" | "pooler"): Record<string, string> {
  return {
    "cnpg.io/cluster": cluster,
    "app.kubernetes.io/name": "postgresql",
    "app.kubernetes.io/instance": cluster,
    "app.kubernetes.io/component": component,
    "app.kubernetes.io/managed-by": manager,
  };
}

/** Metadata of an object that belongs to a cluster. */
export function metadata(
  cluster: Cluster,
  name: string,
  labels: Record<string, string> = {},
  annotations: Record<string, string> = {},
) {
  const inherited = cluster.spec.inheritedMetadata ?? {};
  return {
    name,
    namespace: cluster.metadata.namespace,
    labels: {
      ...clusterLabels(cluster.metadata.name, "database"),
      ...labels,
      ...inherited.labels,
      "cnpg.io/cluster": cluster.metadata.name,
    },
    annotations: { ...inherited.annotations, ...annotations },
    ownerReferences: [controlledBy(cluster)],
  };
}
