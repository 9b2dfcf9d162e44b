import { type Resolved, resolve } from "../core/resolve.ts";
import { workloadLabels } from "../kubernetes/pod.ts";
import type { SiteWebhookArgs } from "./args.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { staticSiteResource as schema } from "./schema.ts";

/** Names of the webhook's objects. */
export const webhookNames = {
  webhook: "site-webhook",
  tls: "site-webhook-tls",
  /** The secret that callers prove. */
  secret: "site-webhook-secret",
  alerts: "site-webhook-alerts",
} as const;

/** Namespace of the webhook when none is named. */
export const webhookNamespace = "site-webhook";

/** The `part-of` label of the webhook's objects. */
export const partOf = "site-webhook";

/** Name of what belongs to no namespace: two stacks of one cluster have webhooks in two namespaces. */
export function clusterWideName({ namespace }: ResolvedSiteWebhook): string {
  return `${namespace}.${webhookNames.webhook}`;
}

/** Labels and name of an object of the webhook that belongs to no namespace. */
export function clusterMetadata(args: ResolvedSiteWebhook) {
  return { name: clusterWideName(args), labels: workloadLabels(webhookNames.webhook, partOf, args.platform) };
}

/** Namespace, labels and name of an object of the webhook. */
export function webhookMetadata(args: ResolvedSiteWebhook, name: string = webhookNames.webhook) {
  return {
    name,
    namespace: args.namespace,
    labels: workloadLabels(webhookNames.webhook, partOf, args.platform),
  };
}

/** The names of the StaticSite resource where arguments are not resolved, with the defaults of kup6s/pages. */
export function staticSiteNames({ staticSites = {} }: Pick<SiteWebhookArgs, "staticSites">): Resolved<typeof schema> {
  return resolve(schema, staticSites);
}
