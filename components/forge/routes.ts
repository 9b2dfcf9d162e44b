import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { certificate } from "../exposure/certificate.ts";
import type { ExposedHost, Exposure, PathBelow } from "../exposure/exposure.ts";
import { exposureObjects } from "../exposure/rendering.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgeMetadata } from "./metadata.ts";

const { webservice, pages: pagesName, shell, tls, pagesTls, toHttps, strictTransport } = forgeNames;

/**
 * What only the cluster's inside needs, and reaches by Services. Numbers about the forge: Prometheus reads them from the pods; health is
 * public. The API of shell, git store and sites, which one shared secret opens.
 */
const insideOnly: readonly PathBelow[] = [
  ["-", "metrics"],
  ["api", "v\\d+", "internal"],
];

/** Certificates of the forge's host and of its static sites'. */
export function certificates(args: ResolvedForge): PlannedObject[] {
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

/** Public routes: HTTPS to the proxy and the static sites, SSH to the shell; HTTP redirects to HTTPS. */
export function routeObjects(args: ResolvedForge): PlannedObject[] {
  return exposureObjects(exposure(args), args.platform.ingress);
}

function exposure(args: ResolvedForge): Exposure {
  const { domain, pages, ssh } = args;
  const forge: ExposedHost = {
    metadata: forgeMetadata(args, webservice),
    host: domain,
    tlsSecret: tls,
    insideOnly,
    rules: [{ service: webservice, port: ports.forgeProxy, strictTransport }],
  };
  const sites = (sitesDomain: string): ExposedHost => ({
    metadata: forgeMetadata(args, pagesName),
    host: `*.${sitesDomain}`,
    tlsSecret: pagesTls,
    rules: [{ service: pagesName, port: ports.forgePages }],
  });
  return {
    metadata: forgeMetadata(args, webservice),
    hosts: [forge, ...(pages ? [sites(pages.domain)] : [])],
    toHttps,
    tcp: ssh && [
      {
        metadata: forgeMetadata(args, shell),
        entryPoint: ssh.entryPoint,
        listenerPort: ssh.listenerPort,
        service: shell,
        port: ports.forgeShell,
        proxyProtocol: ssh.proxyProtocol,
      },
    ],
  };
}
