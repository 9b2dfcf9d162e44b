import type { Certificate } from "../crds/generated/certificate.ts";
import type { IngressRoute, IngressRouteSpec } from "../crds/generated/ingress-route.ts";
import type { Middleware, MiddlewareSpec } from "../crds/generated/middleware.ts";
import type { PlannedObject } from "../plan.ts";
import { ports } from "../ports.ts";
import { type CloudSuiteArgs, type CloudSuiteOfficeArgs, OfficeEngine } from "./args.ts";
import { suiteMetadata } from "./metadata.ts";
import { officePort } from "./office.ts";
import { suiteNames } from "./suite-names.ts";

/** Half a year, the least Nextcloud's security check accepts, in seconds. */
const strictTransportSeconds = 15_552_000;

/** Certificates of the public hosts. */
export function certificates(args: CloudSuiteArgs): PlannedObject[] {
  const certificate = (workload: string, name: string, host: string) => {
    const object = {
      apiVersion: "cert-manager.io/v1",
      kind: "Certificate",
      metadata: { ...suiteMetadata(args, workload, name), annotations: { "pulumi.com/waitFor": "condition=Ready" } },
      spec: {
        secretName: name,
        dnsNames: [host],
        issuerRef: { name: args.platform.ingress.clusterIssuer, kind: "ClusterIssuer" },
      },
    } satisfies Certificate;
    return { object };
  };
  return [
    certificate(suiteNames.web, suiteNames.tls, args.domain),
    ...(args.office ? [certificate(suiteNames.office, suiteNames.officeTls, args.office.domain)] : []),
  ];
}

/** Ways in from outside: HTTPS to web, whiteboard and office; HTTP is sent to HTTPS. */
export function routeObjects(args: CloudSuiteArgs): PlannedObject[] {
  const { domain, office, whiteboard } = args;
  const host = `Host(\`${domain}\`)`;
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
    secureRoute(args, suiteNames.web, webRoutes, suiteNames.tls),
    ...(office ? [officeRoute(args, office)] : []),
    httpRoute(args, [domain, ...(office ? [office.domain] : [])]),
  ];
}

type Routes = IngressRouteSpec["routes"];

/** Paths of the office servers that only administrators need; they are reached by `kubectl port-forward`. */
const administration = {
  [OfficeEngine.collabora]:
    "PathRegexp(`^/browser/[^/]+/admin/`) || PathPrefix(`/cool/adminws`) || PathPrefix(`/cool/getMetrics`)",
  [OfficeEngine.onlyoffice]: "PathPrefix(`/info`) || PathPrefix(`/internal`) || PathPrefix(`/example`)",
} as const;

function officeRoute(args: CloudSuiteArgs, office: CloudSuiteOfficeArgs): PlannedObject {
  const blocked = administration[office.engine ?? OfficeEngine.collabora];
  return secureRoute(
    args,
    suiteNames.office,
    [
      {
        kind: "Rule",
        match: `Host(\`${office.domain}\`) && !(${blocked})`,
        middlewares: [{ name: suiteNames.strictTransport }],
        services: [{ name: suiteNames.office, port: officePort(office) }],
      },
    ],
    suiteNames.officeTls,
  );
}

function secureRoute(args: CloudSuiteArgs, name: string, routes: Routes, secretName: string): PlannedObject {
  const object = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "IngressRoute",
    metadata: suiteMetadata(args, name),
    spec: { entryPoints: [args.platform.ingress.entryPoint ?? "websecure"], routes, tls: { secretName } },
  } satisfies IngressRoute;
  return { object };
}

function httpRoute(args: CloudSuiteArgs, hosts: readonly string[]): PlannedObject {
  const object = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "IngressRoute",
    metadata: suiteMetadata(args, suiteNames.web, suiteNames.toHttps),
    spec: {
      entryPoints: [args.platform.ingress.httpEntryPoint ?? "web"],
      routes: [
        {
          kind: "Rule",
          match: hosts.map((host) => `Host(\`${host}\`)`).join(" || "),
          middlewares: [{ name: suiteNames.toHttps }],
          services: [{ kind: "TraefikService", name: "noop@internal" }],
        },
      ],
    },
  } satisfies IngressRoute;
  return { object };
}

function middlewares(args: CloudSuiteArgs): PlannedObject[] {
  const middleware = (name: string, spec: MiddlewareSpec) => {
    const object = {
      apiVersion: "traefik.io/v1alpha1",
      kind: "Middleware",
      metadata: suiteMetadata(args, suiteNames.web, name),
      spec,
    } satisfies Middleware;
    return { object };
  };
  return [
    middleware(suiteNames.toHttps, { redirectScheme: { scheme: "https", permanent: true } }),
    // The one header that Nextcloud checks for and does not send itself.
    middleware(suiteNames.strictTransport, {
      headers: { stsSeconds: strictTransportSeconds },
    }),
    // Apache would redirect to http://, since that is what it is asked by.
    middleware(suiteNames.davRedirect, {
      redirectRegex: {
        regex: "^https://([^/]+)/\\.well-known/(?:card|cal)dav/?$",
        replacement: "https://$1/remote.php/dav/",
        permanent: true,
      },
    }),
    ...(args.whiteboard
      ? [middleware(suiteNames.whiteboardPrefix, { stripPrefix: { prefixes: ["/whiteboard"] } })]
      : []),
  ];
}
