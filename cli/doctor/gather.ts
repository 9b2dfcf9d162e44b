import { traefikImage } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { Plan } from "@hearth-platform/hearth/core/plan";
import { LiveCluster } from "@hearth-platform/stack/live/cluster/cluster";
import { placesToSee } from "@hearth-platform/stack/live/preflight/data-checks";
import { dataNeedsOf } from "@hearth-platform/stack/live/preflight/data-needs";
import { look, lookQuickly } from "@hearth-platform/stack/live/preflight/facts";
import { lookIntoBuckets } from "@hearth-platform/stack/live/preflight/look-into-buckets";
import { namespacesOf, needsOf, objectsOf } from "@hearth-platform/stack/live/preflight/needs";
import { containersByImage, lookAtWorkloads, type Workload } from "@hearth-platform/stack/live/preflight/operators";
import { askRights, rightsOf } from "@hearth-platform/stack/live/preflight/rights";
import { lookAtLive } from "@hearth-platform/stack/live/trouble/live";
import { stackParts } from "@hearth-platform/stack/parts";
import type { ClusterChoice } from "@hearth-platform/stack/settings/cluster-choice";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import type { ConfigMap, Namespace, Node, ResourceQuota, Service } from "kubernetes-types/core/v1.d.ts";
import { networkFacts, type ServiceCidr } from "./cluster-networks.ts";
import { askedName, hostsOf, type Resolver } from "./dns.ts";
import type { Facts } from "./judgement.ts";
import { lookForKit } from "./kit.ts";
import type { PrometheusObject } from "./prometheus.ts";

/** How the world is reached. */
export interface DoctorMeans {
  readonly cluster: ClusterChoice;
  readonly environment: NodeJS.ProcessEnv;
  /** Absent: names are not asked for. */
  readonly resolve?: Resolver;
  readonly now: () => Date;
}

/** Looks at everything a stack needs; every request reads, or is a review that keeps nothing. @throws Error where no cluster answers */
export async function gather(stack: Stack, means: DoctorMeans): Promise<Facts> {
  const parts = stackParts(stack).map((part) => ({ part, plans: part.plans() }));
  const plans = parts.flatMap((each) => each.plans);
  const objects = objectsOf(plans);
  const needs = needsOf(objects, stack.settings);
  const data = dataNeedsOf(stack, objects);
  const buckets = plans.flatMap((plan) => plan.buckets);
  const cluster = await LiveCluster.open(means.cluster, means.environment);
  try {
    const { server, version, date } = cluster;
    const now = means.now();
    const [
      quick,
      workloads,
      prometheuses,
      services,
      nodes,
      serviceCidrs,
      namespaces,
      quotas,
      live,
      rights,
      stores,
      resolved,
      kit,
    ] = await Promise.all([
      lookQuickly(cluster, needs, data),
      lookAtWorkloads(cluster),
      list<PrometheusObject>(cluster, "/apis/monitoring.coreos.com/v1/prometheuses"),
      list<Service>(cluster, "/api/v1/services"),
      list<Node>(cluster, "/api/v1/nodes"),
      list<ServiceCidr>(cluster, "/apis/networking.k8s.io/v1/servicecidrs"),
      list<Namespace>(cluster, "/api/v1/namespaces"),
      list<ResourceQuota>(cluster, "/api/v1/resourcequotas"),
      lookAtLive(cluster, namespacesOf(needs)),
      askRights(cluster, rightsOf(objects)),
      objectStoresAt(stack, plans, means.environment),
      means.resolve ? resolveAll(hostsOf(objects), means.resolve) : undefined,
      lookForKit(stack, cluster),
    ]);
    return {
      seenBuckets: await lookIntoBuckets(placesToSee(data, quick), means.environment),
      ...{
        objects,
        needs,
        data,
        buckets,
        quick,
        workloads,
        prometheuses,
        services,
        quotas,
        live,
        rights,
        stores,
        resolved,
        kit,
      },
      server: {
        server,
        version: version.gitVersion,
        date,
        now,
        publicNodes: nodes === "unseen" ? nodes : publicAddresses(nodes),
      },
      networks: networkFacts(nodes, serviceCidrs, stack.settings.clusterNetworks),
      namedIdentity: stack.settings.kubernetes?.identity,
      namespaces: namespaces === "unseen" ? [] : namespaces,
      configMaps: await traefikFiles(cluster, workloads),
    };
  } finally {
    cluster.close();
  }
}

async function list<T>(cluster: LiveCluster, path: string): Promise<readonly T[] | "unseen"> {
  const found = await look<{ items: T[] }>(cluster, path);
  return typeof found === "string" ? "unseen" : found.items;
}

/** The client of object stores takes its time to load. */
async function objectStoresAt(stack: Stack, plans: readonly Plan[], environment: NodeJS.ProcessEnv) {
  const names = plans.flatMap((plan) => plan.buckets.map(({ bucket }) => bucket));
  if (names.length === 0) return [];
  const { lookAtObjectStores } = await import("./look-object-storage.ts");
  return lookAtObjectStores(stack, bucketsByStore(stack), environment);
}

/** Names of the buckets by the name of their store. */
function bucketsByStore(stack: Stack): Map<string, string[]> {
  const stores = new Map<string, string[]>();
  for (const { objectStore, plans } of stackParts(stack))
    if (objectStore !== undefined)
      stores.set(objectStore, [
        ...(stores.get(objectStore) ?? []),
        ...plans().flatMap((plan) => plan.buckets.map(({ bucket }) => bucket)),
      ]);
  return stores;
}

async function resolveAll(hosts: readonly string[], resolve: Resolver) {
  return new Map(await Promise.all(hosts.map(async (host) => [host, await resolve(askedName(host))] as const)));
}

function publicAddresses(nodes: readonly Node[]): string[] {
  return nodes.flatMap(({ status }) =>
    (status?.addresses ?? []).filter(({ type }) => type === "ExternalIP").map(({ address }) => address),
  );
}

/** The ConfigMaps that Traefik's pods mount. */
export async function traefikFiles(
  cluster: LiveCluster,
  workloads: readonly Workload[] | "unseen",
): Promise<ConfigMap[]> {
  if (workloads === "unseen") return [];
  const names = containersByImage(workloads, traefikImage).flatMap(({ workload: { metadata, spec } }) =>
    (spec?.template.spec?.volumes ?? []).flatMap(({ configMap }) =>
      configMap?.name ? [`/api/v1/namespaces/${metadata?.namespace}/configmaps/${configMap.name}`] : [],
    ),
  );
  const found = await Promise.all(names.map((path) => look<ConfigMap>(cluster, path)));
  return found.filter((each) => typeof each !== "string");
}
