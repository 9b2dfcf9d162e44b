import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { apiServer, hostEdges, surroundings } from "../exposure/surroundings.ts";
import { type Edge, networkPolicies, type Party } from "../kubernetes/network-policies.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { webhookMetadata, webhookNames } from "./webhook-names.ts";

const { webhook } = webhookNames;

/** Who connects. Parties outside are known by the labels their own charts give them. */
const parties = (args: ResolvedSiteWebhook): Readonly<Record<string, Party>> => ({
  [webhook]: { pods: { matchLabels: selectorLabels(webhook) } },
  ...surroundings(args.platform),
});

/** The webhook finds the API server by its address, so it needs no names. */
const edges = (args: ResolvedSiteWebhook): readonly Edge[] => [
  { from: "ingress", to: webhook, ports: [ports.siteWebhook], reason: "Calls of the providers." },
  ...hostEdges(args.platform),
  { from: "prometheus", to: webhook, ports: [ports.siteWebhookOperations], reason: "Metrics." },
  { from: webhook, to: "anywhere", ports: apiServer, reason: "The API server, whose address no selector knows." },
];

/** Policies of the webhook's namespace, unless they are off. */
export function networkObjects(args: ResolvedSiteWebhook): PlannedObject[] {
  if (!(args.networkPolicies ?? args.platform.networkPolicies)) return [];
  return networkPolicies((name) => webhookMetadata(args, name), parties(args), edges(args));
}
