import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { certificate } from "../exposure/certificate.ts";
import type { ExposedHost, Exposure, ExposureRule } from "../exposure/exposure.ts";
import { exposureObjects } from "../exposure/rendering.ts";
import { appParts } from "./apps/registry.ts";
import { suiteMetadata } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";

/** Certificates of the public hosts. */
export function certificates(args: ResolvedSuite): PlannedObject[] {
  const { clusterIssuer } = args.platform.ingress;
  return [
    certificate(suiteMetadata(args, suiteNames.web, suiteNames.tls), [args.domain], clusterIssuer),
    ...appParts(args).flatMap(({ app: { server }, host }) =>
      server && host
        ? [certificate(suiteMetadata(args, server.workload, host.tlsSecret), [host.host], clusterIssuer)]
        : [],
    ),
  ];
}

/** Public routes: HTTPS to the web and the apps; HTTP redirects to HTTPS. */
export function routeObjects(args: ResolvedSuite): PlannedObject[] {
  return exposureObjects(exposure(args), args.platform.ingress);
}

/**
 * Folders that no browser needs. Apache refuses them by files on the volume, and a volume that was restored may lack such a file.
 * (nextcloud/server .htaccess)
 */
const refused = ["data", "config", "lib", "3rdparty", "templates", "tests", "build"];

/** Where clients look for address books and calendars. (RFC 6764) */
const davKinds = ["card", "cal"];

function exposure(args: ResolvedSuite): Exposure {
  const apps = appParts(args);
  const web: ExposureRule = {
    service: suiteNames.web,
    port: ports.cloudsuite,
    // The one header that Nextcloud checks for and does not send itself.
    strictTransport: suiteNames.strictTransport,
    // Apache would redirect to http://, since that is what it is asked by.
    redirect: {
      name: suiteNames.davRedirect,
      paths: davKinds.flatMap((kind) => [`/.well-known/${kind}dav`, `/.well-known/${kind}dav/`]),
      pattern: `/\\.well-known/(?:${davKinds.join("|")})dav/?`,
      to: "/remote.php/dav/",
    },
  };
  const suite: ExposedHost = {
    metadata: suiteMetadata(args, suiteNames.web),
    host: args.domain,
    tlsSecret: suiteNames.tls,
    refused,
    rules: [web, ...apps.flatMap(({ rules = [] }) => rules)],
  };
  return {
    metadata: suiteMetadata(args, suiteNames.web),
    hosts: [suite, ...apps.flatMap(({ host }) => host ?? [])],
    toHttps: suiteNames.toHttps,
  };
}
