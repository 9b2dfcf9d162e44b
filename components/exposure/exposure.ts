import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";

/**
 * How a component is reached from outside, as plain data: hosts, paths, services, limits, TLS. It says what is meant, and each rendering
 * (`traefik.ts`, `gateway.ts`) says it in a controller's words; what one can't express is named instead of left out (`rendering.ts`).
 */
export interface Exposure {
  /** Namespace and labels of what the hosts share, such as redirects and limits. */
  readonly metadata: Omit<ObjectMeta, "name">;
  readonly hosts: readonly ExposedHost[];
  /** Name of the route that redirects HTTP to HTTPS on all hosts. If absent, HTTP is not served. */
  readonly toHttps?: string;
  /** Ports that carry another protocol than HTTP. */
  readonly tcp?: readonly ExposedPort[];
}

/** Name, namespace and labels of an object. */
export type NamedMetadata = ObjectMeta & { readonly name: string };

/** A host that is served by HTTPS. */
export interface ExposedHost {
  readonly metadata: NamedMetadata;
  /** A DNS name; `*.` before it means one label, as in a certificate, and gives way to a host that is named. */
  readonly host: string;
  /** TLS Secret of the host's certificate. */
  readonly tlsSecret: string;
  /** Paths that have no way in, though a rule takes them: what only the inside of the cluster needs. */
  readonly insideOnly?: readonly PathBelow[];
  /** Folders at the top, e.g. `data`, that the service refuses itself. They have no way in either, should the service fail to. */
  readonly refused?: readonly string[];
  /** In the order in which they are tried; without `ordered`, longer ones are more specific and come first. */
  readonly rules: readonly ExposureRule[];
  /** The rules are tried in their order. @default the more specific first */
  readonly ordered?: boolean;
}

/** Requests that a service answers. */
export interface ExposureRule {
  /** The request's path is one of these. @default any */
  readonly paths?: readonly PathMatch[];
  /** The one HTTP method. @default any */
  readonly method?: string;
  readonly service: string;
  /** Port of the service. */
  readonly port: number;
  /** Makes browsers keep to HTTPS for half a year; what it is called. */
  readonly strictTransport?: string;
  /** Paths that are answered with another address of the same host; the query stays. */
  readonly redirect?: {
    readonly name: string;
    readonly paths: readonly string[];
    /** The paths as one expression. */
    readonly pattern: string;
    readonly to: string;
  };
  /** Taken from the path before the service sees it. */
  readonly stripPrefix?: { readonly name: string; readonly prefix: string };
  readonly limits?: ExposureLimits;
}

/**
 * Guards against floods; over them the answer is 429. Each counts one source: the address a connection comes from; where a trusted proxy
 * passes on its caller's, that one.
 */
export interface ExposureLimits {
  readonly rate: LimitNames & {
    /** Calls a second. */
    readonly average: number;
    readonly burst: number;
  };
  /** Calls that are served at once. */
  readonly inFlight: LimitNames & { readonly amount: number };
}

interface LimitNames {
  /** Of the limit of connections. */
  readonly name: string;
  /** Of the limit of calls that trusted proxies pass on. */
  readonly forwardedName: string;
}

/** Both limits of a route. @param route what the names begin with */
export function sourceLimits(
  route: string,
  { callsPerSecond, burst, inFlight }: Readonly<Record<"callsPerSecond" | "burst" | "inFlight", number>>,
): ExposureLimits {
  const names = (limit: string) => ({ name: `${route}-${limit}`, forwardedName: `${route}-${limit}-forwarded` });
  return {
    rate: { ...names("rate"), average: callsPerSecond, burst },
    inFlight: { ...names("in-flight"), amount: inFlight },
  };
}

/** Paths of requests. */
export type PathMatch =
  /** This one. */
  | { readonly exact: string }
  /** It and all below it, but none that only starts alike: `/v2`, `/v2/a`, not `/v2a`. */
  | { readonly tree: string }
  /** All that start with it; it ends with a slash. */
  | { readonly prefix: string }
  /** A regular expression (RE2) of the whole path. */
  | { readonly pattern: string };

/** A path and all below it, segment by segment, each a regular expression: `["api", "internal"]`. */
export type PathBelow = readonly string[];

/** A port that carries another protocol than HTTP, without TLS of ours. */
export interface ExposedPort {
  readonly metadata: NamedMetadata;
  /** Name of the entry point or listener, which the cluster's proxy has to have. */
  readonly entryPoint: string;
  /** Port of the listener, where that is made with it. */
  readonly listenerPort: number;
  readonly service: string;
  readonly port: number;
  /** The service is told the client's address by the PROXY protocol, version 2. */
  readonly proxyProtocol: boolean;
}

/** Half a year in seconds: the least that Nextcloud's security check accepts. */
export const strictTransportSeconds = 15_552_000;
