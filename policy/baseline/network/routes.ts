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
    const hosts = [field.text || anyHost];
    return rule.get("http", "paths").items.map((path) => {
      const rest = [controller, path.get("pathType").text, path.get("path").text ?? "/"].join(" ");
      return { resource, field, hosts, rest };
    });
  });
  return backend.exists ? [...routes, others] : routes;
}

function gatewayRoutes(resource: PolicyResource): PublicRoute[] {
  const field = resource.get("spec", "hostnames");
  const hosts = field.items.flatMap(({ text }) => text ?? []);
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
    const hosts = [...match.matchAll(hostMatchers)].flatMap(([, matcher, list = ""]) =>
      quoted(list).map((text) => (matcher === "HostRegexp" ? hostOfPattern(text) : text)),
    );
    const rest = match.replace(hostMatchers, "").replace(/\s+/g, " ");
    return { resource, field, hosts: hosts.length > 0 ? hosts : [anyHost], rest: `${entryPoints.join(",")} ${rest}` };
  });
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
