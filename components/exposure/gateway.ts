import type { PlannedObject } from "../core/plan.ts";
import type { ResolvedIngress } from "../core/platform-schema.ts";
import type { Gateway, GatewaySpec } from "../kubernetes/custom-resources/gateway.ts";
import type { HTTPRoute, HTTPRouteSpec } from "../kubernetes/custom-resources/http-route.ts";
import type { ReferenceGrant } from "../kubernetes/custom-resources/reference-grant.ts";
import type { TCPRoute } from "../kubernetes/custom-resources/tcp-route.ts";
import {
  type ExposedHost,
  type ExposedPort,
  type Exposure,
  type ExposureRule,
  type NamedMetadata,
  type PathMatch,
  strictTransportSeconds,
} from "./exposure.ts";
import { publicPaths } from "./public-paths.ts";

/**
 * Exposure as objects of the Gateway API: a Gateway of the component's own, or routes of one that exists. What the API can't express is
 * told by `rendering.ts`. HTTPRoute can't deny, so hosts with paths that are inside only say what they let in instead.
 */

type ResolvedGateway = ResolvedIngress["gateway"];
type ExistingGateway = NonNullable<ResolvedGateway["existing"]>;
type Listener = GatewaySpec["listeners"][number];
type Rule = NonNullable<HTTPRouteSpec["rules"]>[number];
type Filter = NonNullable<Rule["filters"]>[number];
type Match = NonNullable<Rule["matches"]>[number];
type Parent = NonNullable<HTTPRouteSpec["parentRefs"]>[number];

const group = "gateway.networking.k8s.io";
const apiVersion = `${group}/v1` as const;

/** How routes name the listeners that they are for. */
interface Parents {
  readonly https: (host: ExposedHost) => Parent;
  readonly http: (hosts: readonly ExposedHost[]) => Parent[];
  readonly tcp: (port: ExposedPort) => Parent;
}

/** The routes as objects of the Gateway API; certificates are separate. */
export function gatewayObjects(exposure: Exposure, { gateway }: ResolvedIngress): PlannedObject[] {
  const { metadata, hosts, toHttps, tcp = [] } = exposure;
  const parents = gateway.existing ? existingParents(gateway, gateway.existing) : ownParents(exposure);
  return [
    ...(gateway.existing ? grant(exposure, gateway.existing) : [ownGateway(exposure, gateway)]),
    ...hosts.map((host) => httpRoute(host.metadata, [parents.https(host)], [host], rulesOf(host))),
    ...(toHttps ? [httpRoute({ ...metadata, name: toHttps }, parents.http(hosts), hosts, [redirectToHttps])] : []),
    ...tcp.map((port) => tcpRoute(port, parents.tcp(port), gateway.tcpRouteVersion)),
  ];
}

/** Our Gateway is called as its first host, and has listeners for each. */
function gatewayMetadata({ metadata, hosts }: Exposure): NamedMetadata {
  return { ...metadata, name: hosts[0]?.metadata.name ?? "" };
}

const httpListener = ({ metadata }: ExposedHost) => `${metadata.name}-http`;

function ownParents(exposure: Exposure): Parents {
  const { name } = gatewayMetadata(exposure);
  return {
    https: ({ metadata }) => ({ name, sectionName: metadata.name }),
    http: (hosts) => hosts.map((host) => ({ name, sectionName: httpListener(host) })),
    tcp: ({ entryPoint }) => ({ name, sectionName: entryPoint }),
  };
}

/** The owner of an existing Gateway names its listeners freely, so they are found by their ports. */
function existingParents({ httpsPort, httpPort }: ResolvedGateway, { name, namespace }: ExistingGateway): Parents {
  return {
    https: () => ({ name, namespace, port: httpsPort }),
    http: () => [{ name, namespace, port: httpPort }],
    tcp: ({ entryPoint }) => ({ name, namespace, sectionName: entryPoint }),
  };
}

function ownGateway(exposure: Exposure, { className, httpsPort, httpPort }: ResolvedGateway): PlannedObject {
  const { hosts, toHttps, tcp = [] } = exposure;
  const listeners = [
    ...hosts.map(
      (host): Listener => ({
        name: host.metadata.name,
        hostname: host.host,
        port: httpsPort,
        protocol: "HTTPS",
        // Not among what an object waits for: where a certificate is proven through this very Gateway, the Gateway comes first.
        tls: { mode: "Terminate", certificateRefs: [{ group: "", kind: "Secret", name: host.tlsSecret }] },
      }),
    ),
    ...(toHttps ? hosts : []).map(
      (host): Listener => ({
        name: httpListener(host),
        hostname: host.host,
        port: httpPort,
        protocol: "HTTP",
      }),
    ),
    ...tcp.map(({ entryPoint, listenerPort }): Listener => ({ name: entryPoint, port: listenerPort, protocol: "TCP" })),
  ];
  const object = {
    apiVersion,
    kind: "Gateway",
    metadata: { ...gatewayMetadata(exposure), annotations: { "pulumi.com/waitFor": "condition=Programmed" } },
    spec: {
      gatewayClassName: className,
      listeners: listeners.map((listener) => ({ ...listener, allowedRoutes: { namespaces: { from: "Same" } } })),
    },
  } satisfies Gateway;
  return { object };
}

/** Lets a Gateway of another namespace read the hosts' certificates. */
function grant(exposure: Exposure, existing: ExistingGateway): PlannedObject[] {
  const { metadata, hosts } = exposure;
  if (existing.namespace === metadata.namespace) return [];
  const object = {
    apiVersion: `${group}/v1beta1`,
    kind: "ReferenceGrant",
    metadata: gatewayMetadata(exposure),
    spec: {
      from: [{ group, kind: "Gateway", namespace: existing.namespace }],
      to: hosts.map(({ tlsSecret }) => ({ group: "", kind: "Secret", name: tlsSecret })),
    },
  } satisfies ReferenceGrant;
  return [{ object }];
}

function rulesOf(host: ExposedHost): Rule[] {
  // A rule that names no backend is answered with 500, by Traefik with 503. `%2F` is no slash to it; the service refuses such a path itself.
  const refused = (host.refused ?? []).map((folder) => ({ path: pathMatch({ tree: `/${folder}` }) }));
  const rules = host.rules.flatMap((rule): Rule[] => [
    ...(rule.redirect ? [redirected(rule.redirect)] : []),
    {
      matches: matchesOf(host, rule),
      ...withFilters(filtersOf(rule)),
      backendRefs: [{ name: rule.service, port: rule.port }],
    },
  ]);
  return [...(refused.length > 0 ? [{ matches: refused }] : []), ...rules];
}

function matchesOf(host: ExposedHost, rule: ExposureRule): Match[] {
  const paths = host.insideOnly
    ? publicPaths(host, rule).map(expression)
    : (rule.paths ?? [{ prefix: "/" }]).map(pathMatch);
  return paths.map((path) => ({ path, ...(rule.method && { method: rule.method as Match["method"] }) }));
}

function pathMatch(path: PathMatch): Match["path"] {
  if ("exact" in path) return { type: "Exact", value: path.exact };
  // The API's prefix is of whole segments; one that ends with a slash takes the path without it, too.
  if ("tree" in path) return { type: "PathPrefix", value: path.tree };
  if ("prefix" in path) return { type: "PathPrefix", value: path.prefix };
  return expression(path.pattern);
}

function expression(value: string): Match["path"] {
  return { type: "RegularExpression", value };
}

function withFilters(filters: Filter[]): Pick<Rule, "filters"> {
  return filters.length > 0 ? { filters } : {};
}

function filtersOf({ strictTransport, stripPrefix }: ExposureRule): Filter[] {
  const set = [{ name: "Strict-Transport-Security", value: `max-age=${strictTransportSeconds}` }];
  const strict: Filter = { type: "ResponseHeaderModifier", responseHeaderModifier: { set } };
  const stripped: Filter = {
    type: "URLRewrite",
    urlRewrite: { path: { type: "ReplacePrefixMatch", replacePrefixMatch: "/" } },
  };
  return [...(strictTransport ? [strict] : []), ...(stripPrefix ? [stripped] : [])];
}

function redirected({ paths, to }: NonNullable<ExposureRule["redirect"]>): Rule {
  return {
    matches: paths.map((value) => ({ path: { type: "Exact", value } })),
    filters: [
      {
        type: "RequestRedirect",
        requestRedirect: {
          scheme: "https",
          path: { type: "ReplaceFullPath", replaceFullPath: to },
          statusCode: 301,
        },
      },
    ],
  };
}

const redirectToHttps: Rule = {
  matches: [{ path: { type: "PathPrefix", value: "/" } }],
  filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 301 } }],
};

function httpRoute(
  metadata: NamedMetadata,
  parentRefs: Parent[],
  hosts: readonly ExposedHost[],
  rules: Rule[],
): PlannedObject {
  const hostnames = hosts.map(({ host }) => host);
  const object = {
    apiVersion,
    kind: "HTTPRoute",
    metadata,
    spec: { parentRefs, hostnames, rules },
  } satisfies HTTPRoute;
  return { object };
}

/** The address of the caller is not passed on: the API has no word for the PROXY protocol. */
function tcpRoute({ metadata, service, port }: ExposedPort, parent: Parent, version: string): PlannedObject {
  const versions = ["v1", "v1alpha2"].map((each) => `${group}/${each}`);
  const object = {
    // What is written here means the same in both.
    apiVersion: `${group}/${version}` as TCPRoute["apiVersion"],
    kind: "TCPRoute",
    metadata,
    spec: { parentRefs: [parent], rules: [{ backendRefs: [{ name: service, port }] }] },
  } satisfies TCPRoute;
  return { object, otherVersions: versions.filter((each) => each !== object.apiVersion) };
}
