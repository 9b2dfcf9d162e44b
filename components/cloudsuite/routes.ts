import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { defaultOf } from "../core/schema.ts";
import {
  certificate,
  hostMatch,
  middleware,
  type Routes,
  redirectToHttps,
  secureRoute,
} from "../exposure/public-routes.ts";
import type { MiddlewareSpec } from "../kubernetes/custom-resources/middleware.ts";
import type { CloudSuiteArgs, CloudSuiteOfficeArgs } from "./args.ts";
import { suiteMetadata } from "./metadata.ts";
import { officePort } from "./office.ts";
import { clientPaths } from "./office-paths.ts";
import { cloudSuiteOffice } from "./schema.ts";
import { suiteNames } from "./suite-names.ts";

/** Half a year, the least Nextcloud's security check accepts, in seconds. */
const strictTransportSeconds = 15_552_000;

/** Certificates of the public hosts. */
export function certificates(args: CloudSuiteArgs): PlannedObject[] {
  const { clusterIssuer } = args.platform.ingress;
  return [
    certificate(suiteMetadata(args, suiteNames.web, suiteNames.tls), [args.domain], clusterIssuer),
    ...(args.office
      ? [certificate(suiteMetadata(args, suiteNames.office, suiteNames.officeTls), [args.office.domain], clusterIssuer)]
      : []),
  ];
}

/** Ways in from outside: HTTPS to web, whiteboard and office; HTTP is sent to HTTPS. */
export function routeObjects(args: CloudSuiteArgs): PlannedObject[] {
  const { domain, office, whiteboard } = args;
  const host = hostMatch(domain);
  const transport = { name: suiteNames.strictTransport };
  const webRoutes: Routes = [
    {
      kind: "Rule",
      match: host,
      middlewares: [transport, { name: suiteNames.davRedirect }],
      services: [{ name: suiteNames.web, port: ports.cloudsuite }],
    },
  ];
  if (whiteboard)
    webRoutes.push({
      kind: "Rule",
      match: `${host} && (Path(\`/whiteboard\`) || PathPrefix(\`/whiteboard/\`))`,
      middlewares: [transport, { name: suiteNames.whiteboardPrefix }],
      services: [{ name: suiteNames.whiteboard, port: ports.whiteboard }],
    });
  return [
    ...middlewares(args),
    secureRoute(suiteMetadata(args, suiteNames.web), args.platform.ingress, webRoutes, suiteNames.tls),
    ...(office ? [officeRoute(args, office)] : []),
    ...redirectToHttps(
      suiteMetadata(args, suiteNames.web, suiteNames.toHttps),
      args.platform.ingress,
      [domain, ...(office ? [office.domain] : [])].map(hostMatch).join(" || "),
    ),
  ];
}

function officeRoute(args: CloudSuiteArgs, office: CloudSuiteOfficeArgs): PlannedObject {
  const clients = clientPaths[office.engine ?? defaultOf(cloudSuiteOffice.shape.engine)].map(
    (path) => `PathRegexp(\`${path}\`)`,
  );
  return secureRoute(
    suiteMetadata(args, suiteNames.office),
    args.platform.ingress,
    [
      {
        kind: "Rule",
        match: `${hostMatch(office.domain)} && (${clients.join(" || ")})`,
        middlewares: [{ name: suiteNames.strictTransport }],
        services: [{ name: suiteNames.office, port: officePort(office) }],
      },
    ],
    suiteNames.officeTls,
  );
}

function middlewares(args: CloudSuiteArgs): PlannedObject[] {
  const own = (name: string, spec: MiddlewareSpec) => middleware(suiteMetadata(args, suiteNames.web, name), spec);
  return [
    // The one header that Nextcloud checks for and does not send itself.
    own(suiteNames.strictTransport, {
      headers: { stsSeconds: strictTransportSeconds },
    }),
    // Apache would redirect to http://, since that is what it is asked by.
    own(suiteNames.davRedirect, {
      redirectRegex: {
        regex: "^https://([^/]+)/\\.well-known/(?:card|cal)dav/?(\\?.*)?$",
        replacement: "https://$1/remote.php/dav/$2",
        permanent: true,
      },
    }),
    ...(args.whiteboard ? [own(suiteNames.whiteboardPrefix, { stripPrefix: { prefixes: ["/whiteboard"] } })] : []),
  ];
}
