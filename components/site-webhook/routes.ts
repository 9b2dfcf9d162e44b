import type { MiddlewareSpec } from "../crds/generated/middleware.ts";
import type { PlannedObject } from "../plan.ts";
import { ports } from "../ports.ts";
import { certificate, hostMatch, middleware, secureRoute } from "../public-routes.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { webhookMetadata, webhookNames } from "./webhook-names.ts";

const { webhook, tls, rateLimit, inFlightLimit } = webhookNames;

/** Calls below this path sync a site: `/sync/<namespace>/<site>`. */
export const syncPath = "/sync/";

/**
 * The way in: HTTPS, POST and the one path. By HTTP there is none: a redirect would turn the calls of some providers into GETs, and
 * count as delivered with others, while nothing syncs.
 */
export function routeObjects(args: SiteWebhookArgs): PlannedObject[] {
  const { domain = "", platform } = args;
  return [
    certificate(webhookMetadata(args, tls), [domain], args.clusterIssuer ?? platform.ingress.clusterIssuer),
    ...limits(args),
    secureRoute(
      webhookMetadata(args),
      platform.ingress,
      [
        {
          kind: "Rule",
          match: `${hostMatch(domain)} && Method(\`POST\`) && PathPrefix(\`${syncPath}\`)`,
          middlewares: [{ name: rateLimit }, { name: inFlightLimit }],
          services: [{ name: webhook, port: ports.siteWebhook }],
        },
      ],
      tls,
    ),
  ];
}

/** Guards against floods, before the webhook's own. They answer 429, which a provider shows as failed; so they are wide. */
function limits(args: SiteWebhookArgs): PlannedObject[] {
  const { callsPerSecond = 20, burst = 100, inFlight = 256 } = args.limits ?? {};
  const { trustedProxies } = args.platform.ingress;
  const rate: MiddlewareSpec["rateLimit"] = {
    average: callsPerSecond,
    burst,
    // Behind proxies the source is the last address that is none of theirs.
    ...(trustedProxies?.length && { sourceCriterion: { ipStrategy: { excludedIPs: trustedProxies } } }),
  };
  return [
    middleware(webhookMetadata(args, rateLimit), { rateLimit: rate }),
    middleware(webhookMetadata(args, inFlightLimit), { inFlightReq: { amount: inFlight } }),
  ];
}
