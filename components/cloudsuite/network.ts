import { databaseNames, names } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { destination } from "../exposure/surroundings.ts";
import { type Edge, networkPolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import { objectStoreEdge, type StorePlace, storeEdges, storeParties } from "../stores/shared/network.ts";
import { nextcloud } from "./apps/app.ts";
import { appParts, appServers } from "./apps/registry.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";

const { web, cron, configure, configurationBackup, blockedUsers } = suiteNames;
const { pooler } = databaseNames(suiteNames.database);

/** Policies of the suite's namespace, unless they are off; without, all pods reach each other. */
export function networkObjects(args: ResolvedSuite): PlannedObject[] {
  if (!(args.networkPolicies ?? args.platform.networkPolicies)) return [];
  return networkPolicies((name) => suiteMetadata(args, web, name), parties(args), edges(args));
}

const storePlace = ({ namespace, database, keystore, s3: { endpoint }, platform }: ResolvedSuite): StorePlace => ({
  ...{ namespace, hasKeystore: !keystore, endpoint, platform },
  ...(!database && { pooler }),
});

/** Who connects. */
export function parties(args: ResolvedSuite): Record<string, Party> {
  const workload = (name: string): Party => ({ pods: { matchLabels: selectorLabels(name) } });
  return {
    ...storeParties(storePlace(args)),
    [web]: workload(web),
    [nextcloud]: {
      pods: {
        matchExpressions: [
          {
            key: "app.kubernetes.io/name",
            operator: "In",
            values: [web, cron, configure, ...(args.signOn?.gitlabToken ? [blockedUsers] : [])],
          },
        ],
      },
    },
    [configurationBackup]: workload(configurationBackup),
    ...Object.fromEntries(appServers(args).map((server) => [server.workload, workload(server.workload)])),
    ...Object.fromEntries(namedServers(args).map(({ name, party }) => [name, party])),
  };
}

/** The one list of connections in a suite's namespace. */
export function edges(args: ResolvedSuite): Edge[] {
  return [
    { from: "ingress", to: web, ports: [ports.cloudsuite], reason: "Public HTTPS." },
    ...namedServers(args).flatMap(({ edges }) => edges),
    ...(args.database
      ? []
      : storeClients(args).map((from) => ({
          ...{ from, to: pooler, ports: [ports.database] },
          reason: "The database, by its pooler alone.",
        }))),
    ...(args.keystore
      ? []
      : storeClients(args).map((from) => ({
          ...{ from, to: names.keystore, ports: [ports.keystore] },
          reason: from === nextcloud ? "Sessions, locks and cache." : "What Nextcloud tells it.",
        }))),
    {
      from: nextcloud,
      to: "outside",
      reason: "Apps, federation, storage of others: of any host and port.",
    },
    { from: nextcloud, to: "ingress", reason: "The suite's own public hosts, for its checks and its apps." },
    objectStoreEdge(storePlace(args), nextcloud, "The users' files."),
    objectStoreEdge(storePlace(args), configurationBackup, "The nightly copy of the configuration."),
    ...appParts(args).flatMap(({ edges = [] }) => edges),
    ...storeEdges(storePlace(args)),
  ];
}

/** Who connects to the database and the keystore. */
function storeClients(args: ResolvedSuite): string[] {
  const servers = appParts(args).flatMap(({ app, usesStores }) => (usesStores ? (app.server?.workload ?? []) : []));
  return [nextcloud, ...servers];
}

/** Servers that the settings name, each with the ways to it. */
function namedServers(args: ResolvedSuite) {
  const { database, keystore, mail, namespace, platform } = args;
  const server = (
    name: string,
    { host, port }: { readonly host: string; readonly port: number },
    reason: string,
    clients: readonly string[],
  ) => {
    const { party, ports } = destination(host, port, namespace, platform);
    return { name, party, edges: clients.map((from): Edge => ({ from, to: name, ports, reason })) };
  };
  const smtp = mail ?? platform.mail;
  const clients = storeClients(args);
  return [
    ...(smtp ? [server("mail", smtp, "The mail server.", [nextcloud])] : []),
    ...(database ? [server("existing-database", database, "The existing database.", clients)] : []),
    ...(keystore ? [server("existing-keystore", keystore, "The existing keystore.", clients)] : []),
  ];
}
