import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { defaultOf } from "../core/schema.ts";
import { certificate } from "../exposure/certificate.ts";
import type { ExposedHost, Exposure, PathBelow } from "../exposure/exposure.ts";
import { exposureObjects, tellsCallers } from "../exposure/rendering.ts";
import type { ForgeArgs } from "./args.ts";
import { forgeNames } from "./forge-names.ts";
import { forgeMetadata } from "./metadata.ts";
import { forgeSsh } from "./schema.ts";

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

/** Public routes: HTTPS to the proxy and the static sites, SSH to the shell; HTTP redirects to HTTPS. */
export function routeObjects(args: ForgeArgs): PlannedObject[] {
  return exposureObjects(exposure(args), args.platform.ingress);
}

function exposure(args: ForgeArgs): Exposure {
  const { domain, pages, ssh, platform } = args;
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
        listenerPort: ssh.listenerPort ?? ssh.port ?? defaultOf(forgeSsh.shape.port),
        service: shell,
        port: ports.forgeShell,
        proxyProtocol: ssh.proxyProtocol ?? tellsCallers(platform.ingress),
      },
    ],
  };
}
