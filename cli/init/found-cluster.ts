import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import type { Node } from "kubernetes-types/core/v1.d.ts";
import type { StorageClass } from "kubernetes-types/storage/v1.d.ts";

/** What a cluster has that a stack can name. What may not be read is empty. */
export interface FoundCluster {
  /** Its context in the kubeconfig. */
  readonly context: string;
  /** UID of its namespace kube-system. */
  readonly identity: string | undefined;
  readonly nodes: number;
  readonly classes: readonly StorageClass[];
  /** Names of the ClusterIssuers. */
  readonly issuers: readonly string[];
  readonly gatewayClasses: readonly string[];
  /** Names of the ClusterSecretStores. */
  readonly secretStores: readonly string[];
  /** It serves Traefik's routes. */
  readonly hasTraefik: boolean;
  /** It serves PodMonitors. */
  readonly hasMonitoring: boolean;
}

/** Looks at a cluster, without a change. @throws Error where none answers */
export async function findCluster(choice: ClusterChoice): Promise<FoundCluster> {
  const [{ LiveCluster }, { loadKubeconfig }, { look }] = await Promise.all([
    import("@hearth-platform/stack/live/cluster/cluster"),
    import("@hearth-platform/stack/live/cluster/kubeconfig"),
    import("@hearth-platform/stack/live/preflight/facts"),
  ]);
  const context = loadKubeconfig(choice).getCurrentContext();
  const cluster = await LiveCluster.open(choice, process.env, patience);
  try {
    const list = async <T = KubernetesObject>(path: string): Promise<readonly T[]> => {
      const found = await look<{ items: T[] }>(cluster, path);
      return typeof found === "string" ? [] : found.items;
    };
    const named = async (path: string) => (await list(path)).map(({ metadata }) => metadata.name);
    const has = async (path: string) => (await look(cluster, path)) !== "absent";
    const [system, nodes, classes, issuers, gatewayClasses, secretStores, hasTraefik, hasMonitoring] =
      await Promise.all([
        look(cluster, "/api/v1/namespaces/kube-system"),
        list<Node>("/api/v1/nodes"),
        list<StorageClass>("/apis/storage.k8s.io/v1/storageclasses"),
        named("/apis/cert-manager.io/v1/clusterissuers"),
        named("/apis/gateway.networking.k8s.io/v1/gatewayclasses"),
        named("/apis/external-secrets.io/v1/clustersecretstores"),
        has("/apis/traefik.io/v1alpha1"),
        has("/apis/monitoring.coreos.com/v1"),
      ]);
    const identity = typeof system === "string" ? undefined : (system.metadata as { uid?: string }).uid;
    return {
      context,
      identity,
      nodes: nodes.length,
      classes,
      issuers,
      gatewayClasses,
      secretStores,
      hasTraefik,
      hasMonitoring,
    };
  } finally {
    cluster.close();
  }
}

/** Longest time of a request, in milliseconds: a person waits. */
const patience = 5_000;
