import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { ingressPods } from "../exposure/rendering.ts";
import {
  anywhere,
  certificateSolver,
  certificateSolverEdge,
  type Edge,
  networkPolicies,
  type Party,
} from "../kubernetes/network-policies.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { webhookMetadata, webhookNames } from "./webhook-names.ts";

const { webhook } = webhookNames;

/** Ports of the API server: behind its Service, and of the server itself. */
const apiServer = [443, 6443];

const elsewhere = (app: string): Party => ({
  outside: { namespaceSelector: {}, podSelector: { matchLabels: { "app.kubernetes.io/name": app } } },
});

/** Who connects. Parties outside are known by the labels their own charts give them. */
const parties = (args: ResolvedSiteWebhook): Readonly<Record<string, Party>> => ({
  [webhook]: { pods: { matchLabels: selectorLabels(webhook) } },
  ...certificateSolver,
  ingress: ingressPods(args.platform.ingress),
  prometheus: elsewhere("prometheus"),
  ...anywhere,
});

/** The webhook finds the API server by its address, so it needs no names. */
const edges: readonly Edge[] = [
  { from: "ingress", to: webhook, ports: [ports.siteWebhook], reason: "Calls of the providers." },
  certificateSolverEdge,
  { from: "prometheus", to: webhook, ports: [ports.siteWebhookOperations], reason: "Metrics." },
  { from: webhook, to: "anywhere", ports: apiServer, reason: "The API server, whose address no selector knows." },
];

/** Policies of the webhook's namespace, where the arguments ask for them. */
export function networkObjects(args: ResolvedSiteWebhook): PlannedObject[] {
  return args.networkPolicies ? networkPolicies((name) => webhookMetadata(args, name), parties(args), edges) : [];
}
