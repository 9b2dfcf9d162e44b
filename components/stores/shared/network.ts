import { names } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import type { ResolvedPlatform } from "../../core/platform-schema.ts";
import { ingressPods } from "../../exposure/rendering.ts";
import {
  anywhere,
  certificateSolver,
  certificateSolverEdge,
  type Edge,
  type Party,
} from "../../kubernetes/network-policies.ts";
import { selectorLabels } from "../../kubernetes/pod.ts";
import type { ObjectStoreConnection } from "../connections-args.ts";
import { sharedNames } from "./names.ts";

/** Connections of the shared stores and of their namespace as a whole, for whichever component makes its policies. */

const pooler = sharedNames.pooler;

/** Port at which CloudNativePG's instances report their state to each other and to the operator. */
const instanceStatus = 8000;

/** Ports of the API server: behind its Service, and of the server itself. */
export const apiServer = [443, 6443];

/** A party outside the namespace, known by the labels its own chart gives it. @param namespace where it is; none: anywhere */
export function elsewhere(labels: Record<string, string>, namespace?: string): Party {
  const namespaceSelector =
    namespace === undefined ? {} : { matchLabels: { "kubernetes.io/metadata.name": namespace } };
  return { outside: { namespaceSelector, podSelector: { matchLabels: labels } } };
}

/** The stores, and who else is in every edge list. */
export const storeParties = ({
  ingress,
  databaseOperatorNamespace,
}: Pick<ResolvedPlatform, "ingress" | "databaseOperatorNamespace">): Readonly<Record<string, Party>> => ({
  [names.keystore]: { pods: { matchLabels: selectorLabels(names.keystore) } },
  [names.keystoreExporter]: { pods: { matchLabels: selectorLabels(names.keystoreExporter) } },
  [pooler]: { pods: { matchLabels: { "cnpg.io/poolerName": pooler } } },
  "database-instances": {
    pods: {
      matchExpressions: [
        { key: "cnpg.io/cluster", operator: "Exists" },
        { key: "cnpg.io/poolerName", operator: "DoesNotExist" },
      ],
    },
  },
  ...certificateSolver,
  all: { pods: {} },
  dns: elsewhere({ "k8s-app": "kube-dns" }),
  ingress: ingressPods(ingress),
  prometheus: elsewhere({ "app.kubernetes.io/name": "prometheus" }),
  "database-operator": elsewhere({ "app.kubernetes.io/name": "cloudnative-pg" }, databaseOperatorNamespace),
  ...anywhere,
});

/** The stores' own connections, and those of the whole namespace: to DNS, and to what proves its hosts. Those of the stores' clients are the clients' affair. */
export function storeEdges({ endpoint }: Pick<ObjectStoreConnection, "endpoint">): Edge[] {
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
      ports: [...new Set([...apiServer, portOf(endpoint)])],
      reason: "The API server, and backups to the object store.",
    },
    {
      from: pooler,
      to: "anywhere",
      ports: apiServer,
      reason: "Its manager reads its configuration from the API server.",
    },
    { from: "prometheus", to: "database-instances", ports: [ports.databaseMetrics], reason: "Metrics." },
    { from: "prometheus", to: pooler, ports: [ports.poolerMetrics], reason: "Metrics." },
    { from: "prometheus", to: names.keystoreExporter, ports: [ports.keystoreMetrics], reason: "Metrics." },
    { from: names.keystoreExporter, to: names.keystore, ports: [ports.keystore], reason: "Its numbers." },
    { from: "all", to: "dns", ports: [53], protocol: "UDP", reason: "Names of all others." },
    { from: "all", to: "dns", ports: [53], reason: "Names whose answers are too long for a datagram." },
    certificateSolverEdge,
  ];
}

function portOf(endpoint: string): number {
  const { port, protocol } = new URL(endpoint);
  return Number(port || (protocol === "http:" ? 80 : 443));
}
