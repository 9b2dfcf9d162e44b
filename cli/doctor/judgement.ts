import { dayOf } from "@hearth-platform/hearth/core/days";
import type { KubernetesObject, PlannedBucket } from "@hearth-platform/hearth/core/plan";
import { identityFinding, quickFindings } from "@hearth-platform/stack/live/preflight/checks";
import { dataFindings, type SeenBuckets } from "@hearth-platform/stack/live/preflight/data-checks";
import type { DataNeed } from "@hearth-platform/stack/live/preflight/data-needs";
import type { QuickFacts } from "@hearth-platform/stack/live/preflight/facts";
import type { Finding } from "@hearth-platform/stack/live/preflight/finding";
import type { Needs } from "@hearth-platform/stack/live/preflight/needs";
import { operatorFindings, type Workload } from "@hearth-platform/stack/live/preflight/operators";
import { type AskedRight, rightsFindings } from "@hearth-platform/stack/live/preflight/rights";
import { goneSecrets } from "@hearth-platform/stack/live/preflight/secret-checks";
import { type Live, secretsRead } from "@hearth-platform/stack/live/trouble/live";
import { liveFindings } from "@hearth-platform/stack/live/trouble/troubles";
import type { ConfigMap, Namespace, ResourceQuota, Service } from "kubernetes-types/core/v1.d.ts";
import { clusterNetworkFindings, type NetworkFacts } from "./cluster-networks.ts";
import { dnsFindings, hostsOf, ingressAddresses } from "./dns.ts";
import { type KitFacts, kitFindings } from "./kit.ts";
import { podSecurityFindings, quotaFindings } from "./namespaces.ts";
import { objectStorageFindings, type StoreFacts } from "./object-storage.ts";
import { type PrometheusObject, prometheusFindings } from "./prometheus.ts";
import { type ServerFacts, serverFindings } from "./server.ts";
import { staticSettings, tcpRouteFindings, traefikFindings } from "./traefik.ts";

/** All that is seen of a stack's surroundings, and what the stack needs of them. What the caller may not read is `unseen`. */
export interface Facts {
  readonly objects: readonly KubernetesObject[];
  readonly needs: Needs;
  readonly data: readonly DataNeed[];
  readonly buckets: readonly PlannedBucket[];
  readonly server: ServerFacts;
  readonly networks: NetworkFacts;
  /** `hearth:kubernetes.identity`. */
  readonly namedIdentity: string | undefined;
  readonly quick: QuickFacts;
  /** Objects that the cluster lacks and the update would make empty. */
  readonly seenBuckets: SeenBuckets;
  readonly workloads: readonly Workload[] | "unseen";
  readonly services: readonly Service[] | "unseen";
  readonly prometheuses: readonly PrometheusObject[] | "unseen";
  readonly configMaps: readonly ConfigMap[];
  readonly namespaces: readonly Namespace[];
  readonly quotas: readonly ResourceQuota[] | "unseen";
  /** What runs in the stack's namespaces. */
  readonly live: Live;
  readonly rights: readonly AskedRight[] | "unseen";
  readonly stores: readonly StoreFacts[];
  /** Addresses by host; undefined: names were not asked for. */
  readonly resolved: ReadonlyMap<string, readonly string[]> | undefined;
  readonly kit: KitFacts;
}

/** Every finding, in the order of the report. */
export function judgeFacts(facts: Facts): Finding[] {
  const { objects, needs, workloads } = facts;
  const settings = staticSettings(workloads, facts.configMaps);
  return [
    ...serverFindings(facts.server),
    identityFinding(facts.quick.identity, facts.namedIdentity),
    ...rightsFindings(facts.rights),
    ...quickFindings(needs, facts.quick),
    ...goneSecrets(needs.secrets, facts.quick, secretsRead(facts.live)),
    ...dataFindings(facts.data, facts.quick, facts.seenBuckets),
    ...liveFindings(facts.live),
    ...operatorFindings(needs.kinds, workloads, dayOf(facts.server.now)),
    ...clusterNetworkFindings(objects, facts.networks),
    ...traefikFindings(objects, settings),
    ...tcpRouteFindings(objects, facts.quick.served, workloads, settings),
    ...prometheusFindings(objects, facts.prometheuses, facts.namespaces),
    ...dnsFindings(hostsOf(objects), ingressAddresses(facts.services, workloads), facts.resolved),
    ...objectStorageFindings(facts.stores, facts.buckets),
    ...podSecurityFindings(objects, facts.namespaces),
    ...quotaFindings(objects, facts.quotas),
    ...kitFindings(facts.kit, facts.server.now),
  ];
}
