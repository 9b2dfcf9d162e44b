import { names } from "../catalogue/names.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import {
  apiServer,
  type Destination,
  destination,
  elsewhere,
  nameEdges,
  surroundings,
} from "../exposure/surroundings.ts";
import { type Edge, networkPolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels, workloadLabels } from "../kubernetes/pod.ts";
import { sharedNames } from "../stores/shared/names.ts";
import { objectStoreEdge, type StorePlace, storeEdges, storeParties } from "../stores/shared/network.ts";
import { forgeContainerPorts } from "./configuration/ports.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { partOf } from "./metadata.ts";

const { webservice, jobs, gitstore, shell, pages, runner, runnerRegistration } = forgeNames;
const { pooler } = sharedNames;

/** Policies of the forge's namespace, unless they are off; without, all pods reach each other. */
export function networkObjects(args: ResolvedForge): PlannedObject[] {
  if (!(args.networkPolicies ?? args.platform.networkPolicies)) return [];
  const metadata = (name: string) => ({
    name,
    namespace: args.namespace,
    labels: workloadLabels(webservice, partOf, args.platform),
  });
  return [
    ...networkPolicies(metadata, parties(args), edges(args)),
    ...(args.runner ? jobNetworkObjects(args, args.runner) : []),
  ];
}

/** Policies of the CI jobs' namespace: jobs are anybody's programs. Nobody connects to them, and the runner starts them by the API server. */
function jobNetworkObjects(
  args: ResolvedForge,
  { jobNamespace, allowedNetworks }: NonNullable<ResolvedForge["runner"]>,
) {
  const networks = Object.fromEntries(
    allowedNetworks.map((cidr): [string, Party] => [cidr, { outside: [{ ipBlock: { cidr } }] }]),
  );
  const around = surroundings(args.platform);
  const reached: Readonly<Record<string, Party>> = {
    ...around,
    // No proxy stands here: the namespace has no Gateway.
    ingress: { ...around.ingress, pods: undefined },
    [webservice]: elsewhere(selectorLabels(webservice), args.namespace),
    ...networks,
  };
  const ways: Edge[] = [
    ...nameEdges,
    { from: "all", to: webservice, ports: [ports.forgeProxy], reason: "Jobs clone and upload artifacts." },
    { from: "all", to: "ingress", reason: "Forge and hub by their public hosts." },
    { from: "all", to: "internet", reason: "Packages, images and services: of any host and port." },
    ...allowedNetworks.map((to) => ({ from: "all", to, reason: "Allowed by the settings." })),
  ];
  const metadata = (name: string) => ({
    name: `ci-jobs-${name}`,
    namespace: jobNamespace,
    labels: workloadLabels(runner, partOf, args.platform),
  });
  return networkPolicies(metadata, reached, ways);
}

const storePlace = ({ namespace, objectStore: { endpoint }, platform }: ResolvedForge): StorePlace => ({
  ...{ namespace, pooler, hasKeystore: true, endpoint, platform },
});

function mailServer({ administration: { smtp }, namespace, platform }: ResolvedForge): Destination | undefined {
  return smtp && destination(smtp.host, smtp.port, namespace, platform);
}

function mailParty(args: ResolvedForge): Record<string, Party> {
  const server = mailServer(args);
  return server ? { mail: server.party } : {};
}

/** Who connects. */
export function parties(args: ResolvedForge): Record<string, Party> {
  const workload = (name: string): Party => ({ pods: { matchLabels: selectorLabels(name) } });
  return {
    ...storeParties(storePlace(args)),
    [webservice]: workload(webservice),
    [jobs]: workload(jobs),
    [gitstore]: workload(gitstore),
    [shell]: workload(shell),
    ...mailParty(args),
    ...(args.pages && { [pages]: workload(pages) }),
    ...(args.runner && {
      [runner]: workload(runner),
      [runnerRegistration]: workload(runnerRegistration),
      "ci-jobs": {
        outside: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": args.runner.jobNamespace } } }],
      },
    }),
    /** What runs the application: the web, the background jobs, the tools, the Jobs. */
    "forge-rails": allBut(gitstore, shell, pages, runner),
    /** What calls hosts that people name. */
    "forge-callers": allBut(shell, runner),
    "forge-rails-tools": {
      pods: {
        matchLabels: { "app.kubernetes.io/part-of": partOf },
        matchExpressions: [
          { key: "app.kubernetes.io/name", operator: "In", values: [forgeNames.toolbox, forgeNames.backup] },
        ],
      },
    },
  };
}

/** The pods of the forge, its Jobs included, without some. */
function allBut(...values: string[]): Party {
  return {
    pods: {
      matchLabels: { "app.kubernetes.io/part-of": partOf },
      matchExpressions: [{ key: "app.kubernetes.io/name", operator: "NotIn", values }],
    },
  };
}

/** The one list of connections in the forge's namespace: the specification's callers first, then what the software needs besides. */
export function edges(args: ResolvedForge): Edge[] {
  const inner = [ports.forgeWeb, ports.forgeProxy];
  return [
    { from: shell, to: webservice, ports: inner, reason: "Asks the internal API who may push and fetch." },
    {
      from: gitstore,
      to: webservice,
      ports: inner,
      reason: "Its hooks ask the internal API whether a push is allowed.",
    },
    { from: webservice, to: gitstore, ports: [ports.forgeGitstore], reason: "Reads and writes repositories." },
    { from: jobs, to: gitstore, ports: [ports.forgeGitstore], reason: "Reads and writes repositories." },
    { from: "forge-rails-tools", to: gitstore, ports: [ports.forgeGitstore], reason: "Backs repositories up." },
    { from: shell, to: gitstore, ports: [ports.forgeGitstore], reason: "Passes git's data to and fro by itself." },
    { from: "forge-rails", to: pooler, ports: [ports.database], reason: "The database, by its pooler alone." },
    { from: "forge-rails", to: names.keystore, ports: [ports.keystore], reason: "Cache, sessions and job queue." },
    {
      from: "ingress",
      to: webservice,
      ports: [ports.forgeProxy],
      reason: "Public HTTPS; never the application's own port.",
    },
    { from: "ingress", to: shell, ports: [forgeContainerPorts.shell], reason: "Public git over SSH." },
    { from: "prometheus", to: webservice, ports: [ports.forgeWebMetrics], reason: "Metrics." },
    { from: "prometheus", to: jobs, ports: [ports.forgeJobsMetrics], reason: "Metrics." },
    { from: "prometheus", to: gitstore, ports: [ports.forgeGitstoreMetrics], reason: "Metrics." },
    { from: "prometheus", to: shell, ports: [forgeContainerPorts.shellHealth], reason: "Metrics." },
    {
      from: "forge-callers",
      to: "outside",
      reason: "Directories, sign-in providers, web hooks, imports: of any host and port.",
    },
    { from: "forge-callers", to: "ingress", reason: "Public hosts of this cluster, for web hooks and sign-in." },
    ...(args.administration.smtp
      ? [{ from: "forge-rails", to: "mail", ports: mailServer(args)?.ports, reason: "The mail server." }]
      : []),
    objectStoreEdge(
      storePlace(args),
      "forge-callers",
      "Uploads, artifacts, packages, sites, backups, copies of repositories.",
    ),
    ...storeEdges(storePlace(args)),
    ...(args.pages
      ? [
          { from: pages, to: webservice, ports: inner, reason: "Asks the internal API where a site's files are." },
          { from: "ingress", to: pages, ports: [ports.forgePages], reason: "Public static sites." },
          { from: "prometheus", to: pages, ports: [forgeContainerPorts.pagesMetrics], reason: "Metrics." },
        ]
      : []),
    ...(args.runner
      ? [
          { from: runner, to: webservice, ports: inner, reason: "Asks for jobs and sends their logs." },
          { from: "ci-jobs", to: webservice, ports: [ports.forgeProxy], reason: "Jobs clone and upload artifacts." },
          { from: "prometheus", to: runner, ports: [forgeContainerPorts.runnerMetrics], reason: "Metrics." },
          { from: runner, to: "anywhere", ports: apiServer, reason: "Starts its jobs at the API server." },
          { from: runnerRegistration, to: "anywhere", ports: apiServer, reason: "Writes the token into its Secret." },
        ]
      : []),
  ];
}
