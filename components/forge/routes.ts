import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import {
  certificate,
  hostMatch,
  middleware,
  notBelow,
  redirectToHttps,
  secureRoute,
} from "../exposure/public-routes.ts";
import type { IngressRouteTCP } from "../kubernetes/custom-resources/ingress-route-tcp.ts";
import type { ServersTransportTCP } from "../kubernetes/custom-resources/servers-transport-tcp.ts";

import type { ForgeArgs } from "./args.ts";
import { forgeNames } from "./forge-names.ts";
import { forgeMetadata } from "./metadata.ts";

const { webservice, pages: pagesName, shell, tls, pagesTls, toHttps, strictTransport } = forgeNames;

/** Half a year, in seconds. */
const strictTransportSeconds = 15_552_000;

/**
 * What only the cluster's inside needs, and reaches by Services. Numbers about the forge: Prometheus reads them from the pods; health is
 * public. The API of shell, git store and sites, which one shared secret opens.
 */
const insideOnly = [
  ["-", "metrics"],
  ["api", "v\\d+", "internal"],
] as const;

/** Certificates of the forge's host and of its static sites'. */
export function certificates(args: ForgeArgs): PlannedObject[] {
  const { pages, domain, platform } = args;
  const { clusterIssuer, wildcardClusterIssuer } = platform.ingress;
  return [
    certificate(forgeMetadata(args, webservice, tls), [domain], clusterIssuer),
    // Only an issuer with a DNS-01 solver issues wildcards; the rules refuse sites without one.
    ...(pages
      ? [
          certificate(
            forgeMetadata(args, pagesName, pagesTls),
            [`*.${pages.domain}`],
            wildcardClusterIssuer ?? clusterIssuer,
          ),
        ]
      : []),
  ];
}

/** Ways in from outside: HTTPS to the proxy and the static sites, SSH to the shell; HTTP is sent to HTTPS. */
export function routeObjects(args: ForgeArgs): PlannedObject[] {
  const { domain, pages, ssh, platform } = args;
  const transport = { name: strictTransport };
  const sites = pages && sitesMatch(pages.domain);
  return [
    middleware(forgeMetadata(args, webservice, strictTransport), { headers: { stsSeconds: strictTransportSeconds } }),
    secureRoute(
      forgeMetadata(args, webservice),
      platform.ingress,
      [
        {
          kind: "Rule",
          match: `${hostMatch(domain)} && ${notBelow(insideOnly)}`,
          middlewares: [transport],
          services: [{ name: webservice, port: ports.forgeProxy }],
        },
      ],
      tls,
    ),
    ...(sites
      ? [
          secureRoute(
            forgeMetadata(args, pagesName),
            platform.ingress,
            [
              {
                kind: "Rule",
                match: sites,
                // Below every route that names its host.
                priority: 1,
                services: [{ name: pagesName, port: ports.forgePages }],
              },
            ],
            pagesTls,
          ),
        ]
      : []),
    ...redirectToHttps(
      forgeMetadata(args, webservice, toHttps),
      platform.ingress,
      [hostMatch(domain), ...(sites ? [sites] : [])].join(" || "),
    ),
    ...(ssh ? sshRoute(args, ssh) : []),
  ];
}

/** One label before the domain of the sites, as the wildcard of their certificate. */
function sitesMatch(domain: string): string {
  return `HostRegexp(\`^[a-z0-9-]+\\.${domain.replaceAll(".", "\\.")}$\`)`;
}

function sshRoute(args: ForgeArgs, { entryPoint, proxyProtocol }: NonNullable<ForgeArgs["ssh"]>): PlannedObject[] {
  const metadata = forgeMetadata(args, shell);
  const withClient = proxyProtocol !== false;
  const transport = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "ServersTransportTCP",
    metadata,
    spec: { proxyProtocol: { version: 2 } },
  } satisfies ServersTransportTCP;
  const route = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "IngressRouteTCP",
    metadata,
    spec: {
      entryPoints: [entryPoint],
      routes: [
        {
          // Without TLS there is no server name: any.
          match: "HostSNI(`*`)",
          services: [{ name: shell, port: ports.forgeShell, ...(withClient && { serversTransport: shell }) }],
        },
      ],
    },
  } satisfies IngressRouteTCP;
  return [...(withClient ? [{ object: transport }] : []), { object: route }];
}
