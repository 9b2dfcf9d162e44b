import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { defaultsOf } from "../core/schema.ts";
import { certificate, hostMatch, middleware, type Routes, secureRoute } from "../exposure/public-routes.ts";
import type { SiteWebhookArgs } from "./args.ts";
import { siteWebhookLimits } from "./schema.ts";
import { webhookMetadata, webhookNames } from "./webhook-names.ts";

const { webhook, tls, rateLimit, forwardedRateLimit, inFlightLimit } = webhookNames;

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
    secureRoute(webhookMetadata(args), platform.ingress, rules(args), tls),
  ];
}

function rules(args: SiteWebhookArgs): Routes {
  const { domain = "", platform } = args;
  const calls = `${hostMatch(domain)} && Method(\`POST\`) && PathPrefix(\`${syncPath}\`)`;
  const rule = (match: string, rate: string) => ({
    kind: "Rule" as const,
    match,
    middlewares: [{ name: rate }, { name: inFlightLimit }],
    services: [{ name: webhook, port: ports.siteWebhook }],
  });
  const forwarded = forwardedMatch(platform.ingress.trustedProxies ?? []);
  // The longer match is tried first.
  return [rule(calls, rateLimit), ...(forwarded ? [rule(`${calls} && ${forwarded}`, forwardedRateLimit)] : [])];
}

/**
 * What a trusted proxy passes on with its caller's address. Any other connection is its own source: without the header there is no
 * address in it to count, and from anyone else it may be forged. Undefined where there are no proxies.
 */
function forwardedMatch(proxies: readonly string[]): string | undefined {
  if (proxies.length === 0) return undefined;
  const anyProxy = proxies.map((range) => `ClientIP(\`${range}\`)`).join(" || ");
  return `(${anyProxy}) && HeaderRegexp(\`X-Forwarded-For\`, \`[^, ]\`)`;
}

/** Guards against floods, before the webhook's own. They answer 429, which a provider shows as failed; so they are wide. */
function limits(args: SiteWebhookArgs): PlannedObject[] {
  const { callsPerSecond, burst, inFlight } = {
    ...defaultsOf(siteWebhookLimits, args.platform.profile),
    ...args.limits,
  };
  const { trustedProxies } = args.platform.ingress;
  const rate = { average: callsPerSecond, burst };
  return [
    middleware(webhookMetadata(args, rateLimit), { rateLimit: rate }),
    ...(trustedProxies?.length
      ? [
          middleware(webhookMetadata(args, forwardedRateLimit), {
            // The source is the last address that is none of theirs.
            rateLimit: { ...rate, sourceCriterion: { ipStrategy: { excludedIPs: trustedProxies } } },
          }),
        ]
      : []),
    middleware(webhookMetadata(args, inFlightLimit), { inFlightReq: { amount: inFlight } }),
  ];
}
