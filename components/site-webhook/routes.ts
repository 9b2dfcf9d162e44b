import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { certificate } from "../exposure/certificate.ts";
import { type Exposure, sourceLimits } from "../exposure/exposure.ts";
import { exposureObjects } from "../exposure/rendering.ts";
import type { ResolvedSiteWebhook } from "./defaults.ts";
import { webhookMetadata, webhookNames } from "./webhook-names.ts";

const { webhook, tls } = webhookNames;

/** Calls below this path sync a site: `/sync/<namespace>/<site>`. */
export const syncPath = "/sync/";

/**
 * The route: HTTPS, POST and the one path. Plain HTTP has no route: a redirect would turn the calls of some providers into GETs, and
 * count as delivered with others, while nothing syncs.
 */
export function routeObjects(args: ResolvedSiteWebhook): PlannedObject[] {
  const { domain = "", platform } = args;
  return [
    certificate(webhookMetadata(args, tls), [domain], args.clusterIssuer),
    ...exposureObjects(exposure(args, domain), platform.ingress),
  ];
}

function exposure(args: ResolvedSiteWebhook, host: string): Exposure {
  const call = {
    method: "POST",
    paths: [{ prefix: syncPath }],
    service: webhook,
    port: ports.siteWebhook,
    // Before the webhook's own guards. They answer 429, which a provider shows as failed; so they are wide.
    limits: sourceLimits(webhook, args.limits),
  };
  return {
    metadata: webhookMetadata(args),
    hosts: [{ metadata: webhookMetadata(args), host, tlsSecret: tls, rules: [call] }],
  };
}
