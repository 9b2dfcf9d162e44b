import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import {
  certificate,
  hostMatch,
  middleware,
  notBelow,
  type Routes,
  redirectToHttps,
  secureRoute,
} from "../exposure/public-routes.ts";
import { type HubArgs, HubRegistryRoute } from "./args.ts";
import { hubNames } from "./hub-names.ts";
import { hubMetadata } from "./metadata.ts";

const { core, registry, portal, tls, toHttps, strictTransport } = hubNames;

/** Half a year, in seconds. */
const strictTransportSeconds = 15_552_000;

/** The certificate of the hub's host. */
export function certificates(args: HubArgs): PlannedObject[] {
  return [certificate(hubMetadata(args, core, tls), [args.domain], args.platform.ingress.clusterIssuer)];
}

/** Ways in from outside, one host: the APIs to core, the rest to the web UI; HTTP is sent to HTTPS. */
export function routeObjects(args: HubArgs): PlannedObject[] {
  const { domain, platform } = args;
  const transport = { headers: { stsSeconds: strictTransportSeconds } };
  return [
    middleware(hubMetadata(args, core, strictTransport), transport),
    secureRoute(hubMetadata(args, core), platform.ingress, rules(args), tls),
    ...redirectToHttps(hubMetadata(args, core, toHttps), platform.ingress, hostMatch(domain)),
  ];
}

/** Registry API: with and without the slash, and nothing that only starts alike. */
const registryApi = "Path(`/v2`) || PathPrefix(`/v2/`)";

/** Core's other paths; of /service/ the token endpoint alone is public. */
const coreApi = "PathPrefix(`/api/`) || PathPrefix(`/c/`) || Path(`/service/token`)";

/** What only the hub's own parts ask core for, by its Service and with a secret of theirs. (goharbor/harbor src/server/route.go, api/v2.0/swagger.yaml) */
const insideOnly = [
  ["api", "internal"],
  ["api", "v2\\.0", "internalconfig"],
] as const;

function rules(args: HubArgs): Routes {
  const host = `${hostMatch(args.domain)} && ${notBelow(insideOnly)}`;
  const rule = (match: string, priority: number, name: string, port: number) => ({
    kind: "Rule" as const,
    match,
    priority,
    middlewares: [{ name: strictTransport }],
    services: [{ name, port }],
  });
  const literal = args.registryRoute === HubRegistryRoute.registry;
  const coreMatch = literal ? coreApi : `${registryApi} || ${coreApi}`;
  return [
    ...(literal ? [rule(`${host} && (${registryApi})`, 30, registry, ports.hubRegistry)] : []),
    rule(`${host} && (${coreMatch})`, 20, core, ports.hubCore),
    rule(host, 10, portal, ports.hubPortal),
  ];
}
