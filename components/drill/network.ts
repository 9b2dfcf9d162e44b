import { databaseNames } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { apiServer, urlDestination } from "../exposure/surroundings.ts";
import { addresses, type Edge, edgePolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import { drillMetadata, drillNames } from "./drill-names.ts";
import type { ResolvedDrill } from "./schema.ts";

/** Policies of a drill's connections, unless they are off: others deny all that none allows, and allow names and the recovery itself. */
export function networkObjects(args: ResolvedDrill): PlannedObject[] {
  if (!(args.networkPolicies ?? args.platform.networkPolicies)) return [];
  const { drill } = drillNames(args.database.name);
  const [instances, pooler] = ["database-instances", "pooler"];
  const objectStore = urlDestination(args.objectStore.endpoint, args.namespace, args.platform);
  const parties: Readonly<Record<string, Party>> = {
    drill: { pods: { matchLabels: selectorLabels(drill) } },
    // The instances of a drill's cluster are among them, for as long as there is one.
    [instances]: {
      pods: {
        matchExpressions: [
          { key: "cnpg.io/cluster", operator: "Exists" },
          { key: "cnpg.io/poolerName", operator: "DoesNotExist" },
        ],
      },
    },
    [pooler]: { pods: { matchLabels: { "cnpg.io/poolerName": databaseNames(args.database.name).pooler } } },
    "object-store": objectStore.party,
    ...addresses(args.platform.clusterNetworks),
  };
  const edges: Edge[] = [
    { from: "drill", to: instances, ports: [ports.database], reason: "Checks what was recovered." },
    { from: "drill", to: pooler, ports: [ports.database], reason: "Asks the running database what it still has." },
    { from: "drill", to: "anywhere", ports: apiServer, reason: "Makes and removes the recovered cluster." },
    { from: "drill", to: "object-store", ports: objectStore.ports, reason: "Looks for the files." },
  ];
  return edgePolicies((name) => drillMetadata(args, `${drill}-${name}`), parties, edges);
}
