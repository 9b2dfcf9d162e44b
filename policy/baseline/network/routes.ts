import type { Field } from "../../core/field.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { gatewayKinds, gatewayRequests, isGatewayRoute } from "./gateway-routes.ts";

/** Stands for every host where a route names none, or none that can be read. */
export const anyHost = "*";

/** Requests that a route takes. */
export interface PublicRoute {
  readonly resource: PolicyResource;
  /** Where its hosts stand. */
  readonly field: Field;
  /** Public hosts; `*.example.org` is every host with one label before it. */
  readonly hosts: readonly string[];
  /** Other conditions of the route: entry points, path, method. Two routes of one host with equal conditions get the same requests. */
  readonly rest: string;
}

/** Kinds with routes. */
export const routeKinds = {
  ingress: "networking.k8s.io/Ingress",
  route: "traefik.io/IngressRoute",
  tcpRoute: "traefik.io/IngressRouteTCP",
  gatewayHttpRoute: gatewayKinds.httpRoute,
  gatewayTcpRoute: gatewayKinds.tcpRoute,
  gatewayGrpcRoute: gatewayKinds.grpcRoute,
} as const;

/** Kinds without hosts: a port is all of one service's. */
export const portKinds: readonly string[] = [routeKinds.tcpRoute, routeKinds.gatewayTcpRoute];

/** The routes of a resource of `routeKinds`; none of any other. */
export function routesOf(resource: PolicyResource): readonly PublicRoute[] {
  if (resource.groupKind === routeKinds.ingress) return ingressRoutes(resource);
  if (resource.groupKind === routeKinds.route || resource.groupKind === routeKinds.tcpRoute)
    return traefikRoutes(resource);
  return isGatewayRoute(resource) ? gatewayRoutes(resource) : [];
}

/** Whether a name of a certificate, or of a list of TLS hosts, covers a host; a wildcard stands for one label. */
export function covers(name: string, host: string): boolean {
  return (
    name === host ||
    (name.startsWith("*.") && !host.startsWith("*") && name.slice(2) === host.split(".").slice(1).join("."))
  );
}

function ingressRoutes(resource: PolicyResource): PublicRoute[] {
  const controller = resource.get("spec", "ingressClassName").text ?? "";
  const backend = resource.get("spec", "defaultBackend");
  const others: PublicRoute = { resource, field: backend, hosts: [anyHost], rest: `${controller} all others` };
  const routes = resource.get("spec", "rules").items.flatMap((rule): PublicRoute[] => {
    const field = rule.get("host");
    const hosts = [field.text?.toLowerCase() || anyHost];
    return rule.get("http", "paths").items.map((path) => {
      const rest = [controller, path.get("pathType").text, path.get("path").text ?? "/"].join(" ");
      return { resource, field, hosts, rest };
    });
  });
  return backend.exists ? [...routes, others] : routes;
}

function gatewayRoutes(resource: PolicyResource): PublicRoute[] {
  const field = resource.get("spec", "hostnames");
  const hosts = field.items.flatMap(({ text }) => text?.toLowerCase() ?? []);
  return gatewayRequests(resource).map((rest) => ({
    resource,
    field,
    hosts: hosts.length > 0 ? hosts : [anyHost],
    rest,
  }));
}

function traefikRoutes(resource: PolicyResource): PublicRoute[] {
  const entryPoints = resource.get("spec", "entryPoints").items.map(({ text }) => text);
  return resource.get("spec", "routes").items.map((route) => {
    const field = route.get("match");
    const match = field.text ?? "";
    const named = [...match.matchAll(hostMatchers)].flatMap(([, matcher, list = ""]) =>
      quoted(list).map((text) => (matcher?.endsWith("Regexp") ? hostOfPattern(text) : text.toLowerCase())),
    );
    const hosts = takesOtherHosts(match) ? [...named, anyHost] : named;
    const rest = match.replace(hostMatchers, "").replace(/\s+/g, " ");
    return { resource, field, hosts: hosts.length > 0 ? hosts : [anyHost], rest: `${entryPoints.join(",")} ${rest}` };
  });
}

/** Whether a rule takes requests of hosts that it does not name: one side of an `||` has no host, or a host is negated. */
function takesOtherHosts(match: string): boolean {
  const bare = match.replace(hostMatchers, "$1").replace(/`[^`]*`|"[^"]*"/g, "");
  if (/!\s*\(?\s*(?:Host|HostRegexp|HostSNI|HostSNIRegexp)\b/.test(bare)) return true;
  // Parentheses without `||` in them change nothing; a group with hosts on each side is a host.
  let reduced = bare;
  for (let before = ""; before !== reduced; ) {
    before = reduced;
    reduced = reduced.replace(/(\w*)\(([^()]*)\)/g, (_, matcher: string, inner: string) =>
      matcher === "" ? (hasHost(inner) ? " Host " : " Other ") : ` ${matcher} `,
    );
  }
  return reduced.includes("||") && !hasHost(reduced);
}

/** Whether every alternative names a host. */
function hasHost(rule: string): boolean {
  return rule.split("||").every((alternative) => /\bHost(?:Regexp|SNI|SNIRegexp)?\b/.test(alternative));
}

/** Traefik's matchers of hosts, with the texts in their parentheses. Each blank has one place in it, so that no rule takes long to read. */
const hostMatchers = /\b(Host|HostRegexp|HostSNI|HostSNIRegexp)\(([\s,]*(?:(?:`[^`]*`|"[^"]*")[\s,]*)*)\)/g;

function quoted(list: string): string[] {
  return [...list.matchAll(/`([^`]*)`|"([^"]*)"/g)].map(([, plain, escaped]) => plain ?? escaped ?? "");
}

/** `^[a-z0-9-]+\.pages\.example\.org$` is `*.pages.example.org`; of other patterns nothing is known. */
function hostOfPattern(pattern: string): string {
  const [, rest] = /^\^?\[[\w-]+\][+*]\\\.((?:[\w-]|\\\.)+)\$?$/.exec(pattern) ?? [];
  return rest === undefined ? anyHost : `*.${rest.replaceAll("\\.", ".")}`;
}
