import { names } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { type Edge, edgePolicies, networkPolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels, workloadLabels } from "../kubernetes/pod.ts";
import { sharedNames } from "../stores/shared/names.ts";
import { objectStoreEdge, type StorePlace, storeEdges, storeParties } from "../stores/shared/network.ts";
import { HubRegistryRoute } from "./args.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { partOf } from "./metadata.ts";
import { hubPorts } from "./ports.ts";

const { core, registry, jobservice, portal, signIn, migrations, settings, keyBackup } = hubNames;
/** The forge's own policies have its name. */
const forge = "hub-forge";

/**
 * Policies of the hub's connections, unless they are off. All other connections are denied by the forge's policies, or by the
 * hub's own: these are called after the hub, so that a forge can join it with policies of its own.
 */
export function networkObjects(args: ResolvedHub): PlannedObject[] {
  if (!(args.networkPolicies ?? args.platform.networkPolicies)) return [];
  const metadata = (name: string) => ({
    name,
    namespace: args.namespace,
    labels: workloadLabels(core, partOf, args.platform),
  });
  return [
    ...edgePolicies(metadata, parties(args), edges(args)),
    ...(args.defaultDeny
      ? networkPolicies((name) => metadata(`hub-${name}`), storeParties(storePlace(args)), storeEdges(storePlace(args)))
      : []),
  ];
}

const storePlace = ({ namespace, objectStore: { endpoint }, platform }: ResolvedHub): StorePlace => ({
  ...{ namespace, pooler: sharedNames.pooler, hasKeystore: true, endpoint, platform },
});

/** Who connects. The policies of the stores' pods are called after the hub, since the forge has its own of them. */
export function parties(args: ResolvedHub): Record<string, Party> {
  const workload = (name: string): Party => ({ pods: { matchLabels: selectorLabels(name) } });
  return {
    ...storeParties(storePlace(args)),
    [core]: workload(core),
    [registry]: workload(registry),
    [jobservice]: workload(jobservice),
    [portal]: workload(portal),
    [signIn]: workload(signIn),
    [forge]: workload(names.forge.webservice),
    [migrations]: workload(migrations),
    [settings]: workload(settings),
    [keyBackup]: workload(keyBackup),
    "hub-keystore": workload(names.keystore),
    "hub-pooler": {
      pods: { matchLabels: { "cnpg.io/poolerName": sharedNames.pooler } },
    },
  };
}

/** The one list of connections of the hub: the specification's callers first, then what the software needs besides. */
export function edges(args: ResolvedHub): Edge[] {
  const registryPorts = [ports.hubRegistry, hubPorts.registryController];
  return [
    { from: core, to: "hub-pooler", ports: [ports.database], reason: "The database, by its pooler alone." },
    { from: migrations, to: "hub-pooler", ports: [ports.database], reason: "Makes and migrates the schema." },
    { from: jobservice, to: "hub-pooler", ports: [ports.database], reason: "The database, with core's settings." },
    { from: core, to: "hub-keystore", ports: [ports.keystore], reason: "Sessions and cache." },
    {
      from: migrations,
      to: "hub-keystore",
      ports: [ports.keystore],
      reason: "Core connects to it before it migrates.",
    },
    { from: registry, to: "hub-keystore", ports: [ports.keystore], reason: "What is known about layers." },
    { from: jobservice, to: "hub-keystore", ports: [ports.keystore], reason: "The job queue." },
    { from: core, to: registry, ports: registryPorts, reason: "Passes pushes and pulls on, and deletes layers." },
    { from: jobservice, to: registry, ports: registryPorts, reason: "Replication, retention and collection." },
    { from: core, to: jobservice, ports: [ports.hubJobservice], reason: "Submits jobs and reads their state." },
    { from: jobservice, to: core, ports: [ports.hubCore], reason: "Takes its settings, and tells how jobs went." },
    { from: core, to: core, ports: [ports.hubCore], reason: "Its token endpoint, by the Service's name." },
    { from: core, to: portal, ports: [ports.hubPortal], reason: "The health of all parts." },
    { from: settings, to: core, ports: [ports.hubCore], reason: "Applies the settings by the API." },
    { from: "ingress", to: core, ports: [ports.hubCore], reason: "Public APIs, and the registry's through core." },
    { from: "ingress", to: portal, ports: [ports.hubPortal], reason: "The public web UI." },
    ...(args.forgeTokens ? signInEdges : []),
    ...(args.registryRoute === HubRegistryRoute.registry
      ? [{ from: "ingress", to: registry, ports: [ports.hubRegistry], reason: "The registry API, straight to it." }]
      : []),
    objectStoreEdge(storePlace(args), registry, "Layers of images."),
    ...(args.backups === undefined ? [] : [objectStoreEdge(storePlace(args), keyBackup, "The copies of the keys.")]),
    { from: core, to: "outside", reason: "Sign-on, and registries that are cached: of any host and port." },
    { from: core, to: "ingress", reason: "Sign-on with the forge, by its public host." },
    { from: jobservice, to: "outside", reason: "Replication and web hooks: of any host and port." },
    { from: jobservice, to: "ingress", reason: "Replication and web hooks to public hosts of this cluster." },
    ...[core, registry, jobservice].map((to) => ({
      from: "prometheus",
      to,
      ports: [hubPorts.metrics],
      reason: "Metrics.",
    })),
  ];
}

const signInEdges: readonly Edge[] = [
  { from: "ingress", to: signIn, ports: [hubPorts.signIn], reason: "Docker's clients, which ask for tokens." },
  { from: signIn, to: core, ports: [ports.hubCore], reason: "Core's users, and their tokens." },
  { from: signIn, to: forge, ports: [ports.forgeProxy], reason: "Whose a token of the forge is." },
  { from: "prometheus", to: signIn, ports: [hubPorts.signInOperations], reason: "Metrics." },
];
