import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";
import type { Known } from "../core/known.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { IngressArgs } from "../core/platform-args.ts";
import { ingress as ingressSchema } from "../core/platform-schema.ts";
import { defaultOf } from "../core/schema.ts";
import type { Certificate } from "../kubernetes/custom-resources/certificate.ts";
import type { IngressRoute, IngressRouteSpec } from "../kubernetes/custom-resources/ingress-route.ts";
import type { Middleware, MiddlewareSpec } from "../kubernetes/custom-resources/middleware.ts";

/** Ways in from outside, which every part with a public host has: certificates, routes by HTTPS, and HTTP sent to HTTPS. */

type Metadata = ObjectMeta & { name: string };

/** Rules of a route. */
export type Routes = IngressRouteSpec["routes"];

/** Traefik's entry points of the public hosts. */
export function entryPoints({ entryPoint, httpEntryPoint }: Known<IngressArgs>) {
  return {
    https: entryPoint ?? defaultOf(ingressSchema.shape.entryPoint),
    http: httpEntryPoint ?? defaultOf(ingressSchema.shape.httpEntryPoint),
  } as const;
}

/** A certificate in a TLS Secret of its own name; it is awaited. */
export function certificate(metadata: Metadata, hosts: readonly string[], clusterIssuer: string): PlannedObject {
  const object = {
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata: { ...metadata, annotations: { "pulumi.com/waitFor": "condition=Ready" } },
    spec: {
      secretName: metadata.name,
      dnsNames: [...hosts],
      issuerRef: { name: clusterIssuer, kind: "ClusterIssuer" },
    },
  } satisfies Certificate;
  return { object };
}

/** Routes by HTTPS, with the certificate of the Secret named. */
export function secureRoute(
  metadata: Metadata,
  ingress: IngressArgs,
  routes: Routes,
  secretName: string,
): PlannedObject {
  const object = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "IngressRoute",
    metadata,
    spec: { entryPoints: [entryPoints(ingress).https], routes, tls: { secretName } },
  } satisfies IngressRoute;
  return { object };
}

/** The route of what comes by HTTP, to the middleware that sends it to HTTPS; both have the name of `metadata`. */
export function redirectToHttps(metadata: Metadata, ingress: IngressArgs, match: string): PlannedObject[] {
  const object = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "IngressRoute",
    metadata,
    spec: {
      entryPoints: [entryPoints(ingress).http],
      routes: [
        {
          kind: "Rule",
          match,
          middlewares: [{ name: metadata.name }],
          services: [{ kind: "TraefikService", name: "noop@internal" }],
        },
      ],
    },
  } satisfies IngressRoute;
  return [middleware(metadata, { redirectScheme: { scheme: "https", permanent: true } }), { object }];
}

/** A middleware. */
export function middleware(metadata: Metadata, spec: MiddlewareSpec): PlannedObject {
  const object = {
    apiVersion: "traefik.io/v1alpha1",
    kind: "Middleware",
    metadata,
    spec,
  } satisfies Middleware;
  return { object };
}

/**
 * A rule's match of what lies under none of `paths`, which Traefik then answers with 404. Several slashes count as one and `%2F` as a slash,
 * as the programs behind read them; Traefik has taken away `..` and decoded other characters before it matches.
 * @param paths below `/`, segment by segment, each a regular expression: `[["api", "internal"]]`
 */
export function notBelow(paths: readonly (readonly string[])[]): string {
  const slash = "(/|%2[Ff])";
  const below = paths.map((segments) => segments.join(`${slash}+`)).join("|");
  return `!PathRegexp(\`^${slash}+(${below})(${slash}|$)\`)`;
}

/** A rule's match of one host. */
export function hostMatch(host: string): string {
  return `Host(\`${host}\`)`;
}
