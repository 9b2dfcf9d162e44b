/**
 * Stands in for CloudNativePG 1.30's Pooler: makes the Deployment and the Service of its name and reports them.
 *
 * Not simulated: PgBouncer (no image runs, no configuration is made), its role in the database, its TLS secrets, and
 * paused poolers.
 */

import type { KubeClient } from "../kubernetes/client.ts";
import { controlledBy, type KubernetesObject } from "../kubernetes/objects.ts";
import {
  apiVersion,
  type Cluster,
  clusterLabels,
  manager,
  operatorImage,
  podSecurityContext,
  port,
  securityContext,
} from "./cloudnative-pg.ts";
import { type Operator, report } from "./controller.ts";

const deploymentKind = { apiVersion: "apps/v1", kind: "Deployment" };
const serviceKind = { apiVersion: "v1", kind: "Service" };
const clusterKind = { apiVersion, kind: "Cluster" };
const defaultImage = "ghcr.io/cloudnative-pg/pgbouncer:1.25.1";

export interface Pooler extends KubernetesObject {
  spec: {
    cluster: { name: string };
    instances?: number;
    pgbouncer?: { image?: string };
    deploymentStrategy?: object;
    serviceTemplate?: { metadata?: Meta; spec?: Record<string, unknown> };
    template?: { metadata?: Meta; spec?: PodSpec };
  };
}

interface Meta {
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

interface PodSpec {
  containers?: Container[];
  initContainers?: Container[];
  volumes?: object[];
  [field: string]: unknown;
}

interface Container {
  name: string;
  image?: string;
  [field: string]: unknown;
}

interface Deployment extends KubernetesObject {
  status?: { replicas?: number };
}

/** Image of the pooler: the template's container `pgbouncer` may name another than the settings do. */
export function poolerImage({ spec }: Pooler): string {
  const container = spec.template?.spec?.containers?.find(({ name }) => name === "pgbouncer");
  return container?.image ?? spec.pgbouncer?.image ?? defaultImage;
}

/** Objects that the operator makes for a Pooler. */
export function poolerObjects(pooler: Pooler): KubernetesObject[] {
  const { spec } = pooler;
  const { name } = pooler.metadata;
  const selector = { "cnpg.io/poolerName": name };
  const labels = { ...clusterLabels(spec.cluster.name, "pooler"), ...selector, "cnpg.io/podRole": "pooler" };
  const metadata = (more: Meta = {}) => ({
    name,
    namespace: pooler.metadata.namespace,
    labels: { ...more.labels, ...labels },
    annotations: { ...more.annotations },
    ownerReferences: [controlledBy(pooler)],
  });
  const { template, serviceTemplate } = spec;
  const ports = [{ name: "pgbouncer", port, targetPort: "pgbouncer", protocol: "TCP" }];
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: metadata() },
    {
      ...serviceKind,
      metadata: metadata(serviceTemplate?.metadata),
      spec: { type: "ClusterIP", ports, ...serviceTemplate?.spec, selector },
    },
    {
      ...deploymentKind,
      metadata: metadata(),
      spec: {
        replicas: spec.instances ?? 1,
        selector: { matchLabels: selector },
        ...(spec.deploymentStrategy && { strategy: spec.deploymentStrategy }),
        template: {
          metadata: {
            labels: { ...template?.metadata?.labels, ...labels },
            annotations: { ...template?.metadata?.annotations },
          },
          spec: podSpec(pooler),
        },
      },
    },
  ];
}

function podSpec(pooler: Pooler): PodSpec {
  const { containers = [], initContainers = [], volumes = [], ...rest } = pooler.spec.template?.spec ?? {};
  const given = containers.find(({ name }) => name === "pgbouncer");
  const bootstrap = initContainers.find(({ name }) => name === "bootstrap-controller");
  const volumeMounts = [{ name: "scratch-data", mountPath: "/controller" }];
  const env = [
    { name: "NAMESPACE", value: pooler.metadata.namespace },
    { name: "POOLER_NAME", value: pooler.metadata.name },
  ];
  return {
    // The identity the operator's image expects; a template can add to the pod but not change it.
    ...rest,
    serviceAccountName: pooler.metadata.name,
    securityContext: podSecurityContext(998, 996),
    initContainers: [
      ...initContainers.filter((container) => container !== bootstrap),
      {
        ...bootstrap,
        name: "bootstrap-controller",
        image: operatorImage,
        command: ["/manager", "bootstrap", "/controller/manager"],
        volumeMounts,
        securityContext,
      },
    ],
    containers: [
      ...containers.filter((container) => container !== given),
      {
        command: ["/controller/manager", "pgbouncer", "run"],
        readinessProbe: { tcpSocket: { port }, timeoutSeconds: 5 },
        ...given,
        name: "pgbouncer",
        image: poolerImage(pooler),
        ports: [
          { name: "pgbouncer", containerPort: port },
          { name: "metrics", containerPort: 9127 },
        ],
        env: [...((given?.env as object[] | undefined) ?? []), ...env],
        volumeMounts: [...((given?.volumeMounts as object[] | undefined) ?? []), ...volumeMounts],
        securityContext,
      },
    ],
    volumes: [...volumes, { name: "scratch-data", emptyDir: {} }],
  };
}

/** The operator for Poolers. */
export function poolers(client: KubeClient): Operator {
  return {
    reconciles: { apiVersion, kind: "Pooler" },
    owns: [deploymentKind, serviceKind],
    dependsOn: [clusterKind],
    async reconcile(object, caches) {
      const pooler = object as Pooler;
      const { name, namespace } = pooler.metadata;
      const cluster = caches
        .list<Cluster>(clusterKind, namespace)
        .find(({ metadata }) => metadata.name === pooler.spec.cluster.name);
      const image = poolerImage(pooler);
      if (!cluster) {
        const phaseReason = `Cluster "${pooler.spec.cluster.name}" not found`;
        const status = { phase: "inactive", phaseReason };
        await report(client, pooler, status, manager);
        return;
      }
      for (const each of poolerObjects(pooler)) await client.apply(each, manager);
      const deployment = caches
        .list<Deployment>(deploymentKind, namespace)
        .find(({ metadata }) => metadata.name === name);
      const status = { phase: "active", instances: deployment?.status?.replicas ?? 0, image };
      await report(client, pooler, status, manager);
    },
  };
}
