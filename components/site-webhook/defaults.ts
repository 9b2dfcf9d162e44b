import type { Resolved } from "../core/resolve.ts";
import type { siteWebhook } from "./schema.ts";

/** A site webhook's arguments with their defaults. */
export interface ResolvedSiteWebhook extends ReturnType<typeof siteWebhookDefaults> {}

/** Defaults that follow from other arguments. */
export function siteWebhookDefaults(args: Resolved<typeof siteWebhook>) {
  return { ...args, clusterIssuer: args.clusterIssuer ?? args.platform.ingress.clusterIssuer };
}
