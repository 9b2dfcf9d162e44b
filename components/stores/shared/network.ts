import { names } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import type { ResolvedPlatform } from "../../core/platform-schema.ts";
import {
  apiServer,
  type Destination,
  elsewhere,
  hostEdges,
  nameEdges,
  surroundings,
  urlDestination,
} from "../../exposure/surroundings.ts";
import type { Edge, Party } from "../../kubernetes/network-policies.ts";
import { selectorLabels } from "../../kubernetes/pod.ts";

/** Connections of a component's stores and of their namespace as a whole, for whichever component makes its policies. */

/** Port at which CloudNativePG's instances report their state to each other and to the operator. */
const instanceStatus = 8000;

/** Where the stores are. */
export interface StorePlace {
  readonly namespace: string;
  /** Name of the database's pooler; none where the database is elsewhere. */
  readonly pooler?: string;
  /** Whether the keystore is there, too. */
  readonly hasKeystore: boolean;
  /** URL of the object store. */
  readonly endpoint: string;
  readonly platform: Pick<ResolvedPlatform, "ingress" | "clusterNetworks" | "databaseOperatorNamespace" | "monitoring">;
}

/** The stores, and who else is in every edge list. */
export function storeParties(place: StorePlace): Readonly<Record<string, Party>> {
  const { platform, pooler } = place;
  return {
    [names.keystore]: { pods: { matchLabels: selectorLabels(names.keystore) } },
    [names.keystoreExporter]: { pods: { matchLabels: selectorLabels(names.keystoreExporter) } },
    ...(pooler !== undefined && {
      [pooler]: { pods: { matchLabels: { "cnpg.io/poolerName": pooler } } },
      "database-instances": {
        pods: {
          matchExpressions: [
            { key: "cnpg.io/cluster", operator: "Exists" as const },
            { key: "cnpg.io/poolerName", operator: "DoesNotExist" as const },
          ],
        },
      },
      "database-operator": elsewhere(
        { "app.kubernetes.io/name": "cloudnative-pg" },
        platform.databaseOperatorNamespace,
      ),
    }),
    "object-store": objectStore(place).party,
    ...surroundings(platform),
  };
}

/** A way to the object store. */
export function objectStoreEdge(place: StorePlace, from: string, reason: string): Edge {
  return { from, to: "object-store", ports: objectStore(place).ports, reason };
}

/** The stores' own connections, and those of the whole namespace: to DNS, and to what proves its hosts. Those of the stores' clients are the clients' affair. */
export function storeEdges(place: StorePlace): Edge[] {
  const { pooler, hasKeystore, platform } = place;
  return [
    ...(pooler === undefined ? [] : databaseEdges(place, pooler)),
    ...(hasKeystore && platform.monitoring ? exporterEdges : []),
    ...nameEdges,
    ...hostEdges(platform),
  ];
}

const exporterEdges: readonly Edge[] = [
  { from: "prometheus", to: names.keystoreExporter, ports: [ports.keystoreMetrics], reason: "Metrics." },
  { from: names.keystoreExporter, to: names.keystore, ports: [ports.keystore], reason: "Its numbers." },
];

function databaseEdges(place: StorePlace, pooler: string): Edge[] {
  return [
    { from: pooler, to: "database-instances", ports: [ports.database], reason: "Pooled connections." },
    {
      from: "database-instances",
      to: "database-instances",
      ports: [ports.database, instanceStatus],
      reason: "Replication, and the state of the primary.",
    },
    {
      from: "database-operator",
      to: "database-instances",
      ports: [ports.database, instanceStatus],
      reason: "The operator asks instances for their state.",
    },
    {
      from: "database-instances",
      to: "anywhere",
      ports: apiServer,
      reason: "Their manager reports to the API server.",
    },
    objectStoreEdge(place, "database-instances", "Backups, and recovery from them."),
    {
      from: pooler,
      to: "anywhere",
      ports: apiServer,
      reason: "Its manager reads its configuration from the API server.",
    },
    { from: "prometheus", to: "database-instances", ports: [ports.databaseMetrics], reason: "Metrics." },
    { from: "prometheus", to: pooler, ports: [ports.poolerMetrics], reason: "Metrics." },
  ];
}

function objectStore({ endpoint, namespace, platform }: StorePlace): Destination {
  return urlDestination(endpoint, namespace, platform);
}
