import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { certificate } from "../exposure/certificate.ts";
import {
  type Exposure,
  type ExposureRule,
  type PathBelow,
  type PathMatch,
  sourceLimits,
} from "../exposure/exposure.ts";
import { exposureObjects } from "../exposure/rendering.ts";
import { HubRegistryRoute } from "./args.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { hubMetadata } from "./metadata.ts";
import { hubPorts } from "./ports.ts";

const { core, registry, portal, signIn, tokenRoute, tls, toHttps, strictTransport } = hubNames;

/** The certificate of the hub's host. */
export function certificates(args: ResolvedHub): PlannedObject[] {
  return [certificate(hubMetadata(args, core, tls), [args.domain], args.platform.ingress.clusterIssuer)];
}

/** Public routes of the one host: the APIs to core, everything else to the web UI; HTTP redirects to HTTPS. */
export function routeObjects(args: ResolvedHub): PlannedObject[] {
  return exposureObjects(exposure(args), args.platform.ingress);
}

/** Registry API. */
const registryApi: PathMatch = { tree: "/v2" };

/** Where docker's clients get tokens. */
const tokenEndpoint: PathMatch = { exact: "/service/token" };

/** Core's other paths; of /service/ the token endpoint alone is public. */
const coreApi: readonly PathMatch[] = [{ prefix: "/api/" }, { prefix: "/c/" }];

/** Paths that only the hub's own parts request, through core's Service and with their own secret. (goharbor/harbor src/server/route.go, api/v2.0/swagger.yaml) */
const insideOnly: readonly PathBelow[] = [
  ["api", "internal"],
  ["api", "v2\\.0", "internalconfig"],
];

function exposure(args: ResolvedHub): Exposure {
  const literal = args.registryRoute === HubRegistryRoute.registry;
  const tokens = args.forgeTokens ? { service: signIn, port: hubPorts.signIn } : { service: core, port: ports.hubCore };
  const rules: ExposureRule[] = [
    // Core holds up each wrong password, so that few callers could hold up everybody.
    { paths: [tokenEndpoint], ...tokens, limits: sourceLimits(tokenRoute, args.tokenLimits) },
    ...(literal ? [{ paths: [registryApi], service: registry, port: ports.hubRegistry }] : []),
    {
      paths: [...(literal ? [] : [registryApi]), ...coreApi],
      service: core,
      port: ports.hubCore,
    },
    { service: portal, port: ports.hubPortal },
  ];
  return {
    metadata: hubMetadata(args, core),
    hosts: [
      {
        metadata: hubMetadata(args, core),
        host: args.domain,
        tlsSecret: tls,
        insideOnly,
        rules: rules.map((rule) => ({ ...rule, strictTransport })),
        ordered: true,
      },
    ],
    toHttps,
  };
}
