import type { PlannedObject } from "../core/plan.ts";
import type { ResolvedIngress } from "../core/platform-schema.ts";
import type { IngressRoute, IngressRouteSpec } from "../kubernetes/custom-resources/ingress-route.ts";
import type { IngressRouteTCP } from "../kubernetes/custom-resources/ingress-route-tcp.ts";
import type { Middleware, MiddlewareSpec } from "../kubernetes/custom-resources/middleware.ts";
import type { ServersTransportTCP } from "../kubernetes/custom-resources/servers-transport-tcp.ts";
import {
  type ExposedHost,
  type ExposedPort,
  type Exposure,
  type ExposureLimits,
  type ExposureRule,
  type NamedMetadata,
  type PathBelow,
  type PathMatch,
  strictTransportSeconds,
} from "./exposure.ts";

/** Exposure as Traefik's routes and middlewares. */

type Route = IngressRouteSpec["routes"][number];
/** Middlewares by their names. */
type Middlewares = Readonly<Record<string, MiddlewareSpec>>;

const apiVersion = "traefik.io/v1alpha1";

/** The routes as Traefik's objects; certificates are separate. */
export function traefikObjects(exposure: Exposure, ingress: ResolvedIngress): PlannedObject[] {
  const { metadata, hosts, toHttps, tcp = [] } = exposure;
  const trusted = ingress.trustedProxies ?? [];
  const { entryPoint: https, httpEntryPoint: http } = ingress;
  const rules = hosts.flatMap((host) => host.rules);
  const shared: Middlewares = Object.assign({}, ...rules.map((rule) => middlewaresOf(rule, trusted)));
  const redirect: Middlewares = toHttps ? { [toHttps]: { redirectScheme: { scheme: "https", permanent: true } } } : {};
  return [
    ...Object.entries({ ...shared, ...redirect }).map(([name, spec]) => middleware({ ...metadata, name }, spec)),
    ...hosts.map((host) =>
      ingressRoute(host.metadata, {
        entryPoints: [https],
        routes: routesOf(host, trusted),
        tls: { secretName: host.tlsSecret },
      }),
    ),
    ...(toHttps
      ? [ingressRoute({ ...metadata, name: toHttps }, { entryPoints: [http], routes: [redirectRoute(toHttps, hosts)] })]
      : []),
    ...tcp.flatMap(portObjects),
  ];
}

function routesOf(
  { host, insideOnly = [], refused = [], rules, ordered }: ExposedHost,
  trusted: readonly string[],
): Route[] {
  const denied = [...insideOnly, ...refused.map((folder) => [folder])];
  return rules.flatMap((rule, index) => {
    const { method, paths = [], service, port } = rule;
    const match = [
      hostMatch(host),
      ...(denied.length > 0 ? [notBelow(denied)] : []),
      ...(method ? [`Method(\`${method}\`)`] : []),
      ...(paths.length > 0 ? [anyOf(paths.flatMap(pathMatches))] : []),
    ].join(" && ");
    const route = (match: string, forwarded: boolean): Route => {
      const names = middlewareNames(rule, forwarded);
      return {
        kind: "Rule",
        match,
        // Traefik tries the longer match first by itself, and a wildcard's is long: it comes below every route that names its host.
        ...(ordered && { priority: (rules.length - index) * 10 }),
        ...(host.startsWith("*.") && { priority: 1 }),
        ...(names.length > 0 && { middlewares: names.map((name) => ({ name })) }),
        services: [{ name: service, port }],
      };
    };
    // The longer match is tried first.
    const behindProxies = rule.limits && trusted.length > 0;
    return [route(match, false), ...(behindProxies ? [route(`${match} && ${forwardedMatch(trusted)}`, true)] : [])];
  });
}

function redirectRoute(name: string, hosts: readonly ExposedHost[]): Route {
  return {
    kind: "Rule",
    match: hosts.map(({ host }) => hostMatch(host)).join(" || "),
    middlewares: [{ name }],
    services: [{ kind: "TraefikService", name: "noop@internal" }],
  };
}

function middlewareNames({ strictTransport, redirect, stripPrefix, limits }: ExposureRule, forwarded: boolean) {
  const guards = limits ? [limits.rate, limits.inFlight] : [];
  return [
    ...[strictTransport, redirect?.name, stripPrefix?.name].filter((name) => name !== undefined),
    ...guards.map(({ name, forwardedName }) => (forwarded ? forwardedName : name)),
  ];
}

function middlewaresOf(rule: ExposureRule, trusted: readonly string[]): Middlewares {
  const { strictTransport, redirect, stripPrefix, limits } = rule;
  return {
    ...(strictTransport && { [strictTransport]: { headers: { stsSeconds: strictTransportSeconds } } }),
    ...(redirect && {
      [redirect.name]: {
        redirectRegex: {
          regex: `^https://([^/]+)${redirect.pattern}(\\?.*)?$`,
          replacement: `https://$1${redirect.to}$2`,
          permanent: true,
        },
      },
    }),
    ...(stripPrefix && { [stripPrefix.name]: { stripPrefix: { prefixes: [stripPrefix.prefix] } } }),
    ...(limits && limitsOf(limits, trusted)),
  };
}

function limitsOf({ rate, inFlight }: ExposureLimits, trusted: readonly string[]): Middlewares {
  const rateLimit = { average: rate.average, burst: rate.burst };
  const inFlightReq = { amount: inFlight.amount };
  // Without a word on the source, Traefik counts the calls under way of the whole host. Of IPv6, one subscriber has a whole subnet.
  const connection = { ipStrategy: { depth: 0, ipv6Subnet: 64 } };
  // The source is the last address that is none of theirs; Traefik knows no subnets there.
  const sourceCriterion = { ipStrategy: { excludedIPs: [...trusted] } };
  return {
    [rate.name]: { rateLimit: { ...rateLimit, sourceCriterion: connection } },
    [inFlight.name]: { inFlightReq: { ...inFlightReq, sourceCriterion: connection } },
    ...(trusted.length > 0 && {
      [rate.forwardedName]: { rateLimit: { ...rateLimit, sourceCriterion } },
      [inFlight.forwardedName]: { inFlightReq: { ...inFlightReq, sourceCriterion } },
    }),
  };
}

/** Without TLS there is no server name: any. */
function portObjects({ metadata, entryPoint, service, port, proxyProtocol }: ExposedPort): PlannedObject[] {
  const transport = {
    apiVersion,
    kind: "ServersTransportTCP",
    metadata,
    spec: { proxyProtocol: { version: 2 } },
  } satisfies ServersTransportTCP;
  const services = [{ name: service, port, ...(proxyProtocol && { serversTransport: metadata.name }) }];
  const route = {
    apiVersion,
    kind: "IngressRouteTCP",
    metadata,
    spec: { entryPoints: [entryPoint], routes: [{ match: "HostSNI(`*`)", services }] },
  } satisfies IngressRouteTCP;
  return [...(proxyProtocol ? [{ object: transport }] : []), { object: route }];
}

function ingressRoute(metadata: NamedMetadata, spec: IngressRouteSpec): PlannedObject {
  const object = { apiVersion, kind: "IngressRoute", metadata, spec } satisfies IngressRoute;
  return { object };
}

function middleware(metadata: NamedMetadata, spec: MiddlewareSpec): PlannedObject {
  const object = { apiVersion, kind: "Middleware", metadata, spec } satisfies Middleware;
  return { object };
}

/** One host; of a wildcard one label before the domain, as in its certificate. */
function hostMatch(host: string): string {
  if (!host.startsWith("*.")) return `Host(\`${host}\`)`;
  return `HostRegexp(\`^[a-z0-9-]+\\.${host.slice(2).replaceAll(".", "\\.")}$\`)`;
}

function pathMatches(path: PathMatch): string[] {
  if ("exact" in path) return [`Path(\`${path.exact}\`)`];
  if ("tree" in path) return [`Path(\`${path.tree}\`)`, `PathPrefix(\`${path.tree}/\`)`];
  if ("prefix" in path) return [`PathPrefix(\`${path.prefix}\`)`];
  return [`PathRegexp(\`${path.pattern}\`)`];
}

function anyOf(matches: readonly string[]): string {
  return matches.length === 1 ? matches.join() : `(${matches.join(" || ")})`;
}

/**
 * A rule's match of what lies under none of `paths`, which Traefik then answers with 404. Several slashes count as one and `%2F` as a slash,
 * as the programs behind read them; Traefik has taken away `..` and decoded other characters before it matches.
 */
function notBelow(paths: readonly PathBelow[]): string {
  const slash = "(/|%2[Ff])";
  const below = paths.map((segments) => segments.join(`${slash}+`)).join("|");
  return `!PathRegexp(\`^${slash}+(${below})(${slash}|$)\`)`;
}

/**
 * What a trusted proxy passes on with its caller's address. Any other connection is its own source: without the header there is no
 * address in it to count, and from anyone else it may be forged.
 */
function forwardedMatch(proxies: readonly string[]): string {
  const anyProxy = proxies.map((range) => `ClientIP(\`${range}\`)`).join(" || ");
  return `(${anyProxy}) && HeaderRegexp(\`X-Forwarded-For\`, \`[^, ]\`)`;
}
