import { names } from "@hearth-platform/hearth/catalogue/names";
import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf } from "../selection.ts";
import { type Attached, gatewayKinds, isGatewayRoute, parentsOf } from "./gateway-routes.ts";
import { covers, routeKinds, routesOf } from "./routes.ts";

const certificateKind = "cert-manager.io/Certificate";
const udpKind = "traefik.io/IngressRouteUDP";
const externalSecretKind = "external-secrets.io/ExternalSecret";

/** With one of these an Ingress has cert-manager make its Secrets. */
const issuerAnnotations = ["cert-manager.io/cluster-issuer", "cert-manager.io/issuer"];

export const ingressTls = stackPolicy({
  id: "net-ingress-tls",
  title: "Every public host by TLS",
  rule: "Public routes and Gateways have TLS with a certificate that covers their hosts. A route without TLS only redirects to HTTPS. Git over SSH has its own encryption.",
  severity: PolicySeverity.high,
  level: {
    production: EnforcementLevel.mandatory,
    development: EnforcementLevel.advisory,
    maintenance: EnforcementLevel.mandatory,
  },
  remediation: "Name a TLS Secret, and add a Certificate that makes it for the route's hosts.",
  unseen:
    "Certificates made outside the stack, except those in the settings, the listeners of the Gateway in `hearth:ingress.gateway.existing`, and what a middleware outside the stack does.",
  tags: ["network", "tls", "exposure"],
  settings: {
    secrets: {
      description: "TLS Secrets made outside the stack, as namespace/name.",
      default: [] as readonly string[],
    },
    gateways: {
      description:
        "Gateways outside the stack with TLS on their public listeners, as namespace/name. The one in the stack's settings is taken to have it.",
      default: [] as readonly string[],
    },
  },
  kinds: [udpKind, ...Object.values(routeKinds), gatewayKinds.gateway, certificateKind, externalSecretKind, "Secret"],
  *checkStack(resources, { secrets, gateways: named }, { existingGateway }) {
    const gateways = [...named, ...(existingGateway ? [existingGateway] : [])];
    for (const resource of resources) {
      if (resource.groupKind === certificateKind) yield* issued(resource);
      if (resource.groupKind === udpKind)
        yield violationOf(resource, resource.get("spec", "routes"), "A route by UDP has no TLS.");
      if (resource.groupKind === gatewayKinds.gateway) yield* withoutTls(resource);
      const hosts = routesOf(resource).flatMap((route) => route.hosts);
      if (resource.groupKind === routeKinds.ingress) {
        yield* uncovered(resource);
        for (const tls of resource.get("spec", "tls").items)
          yield* certified(resource, tls, textsOf(tls.get("hosts")), resources, secrets);
      } else if (isGatewayRoute(resource)) yield* attached(resource, hosts, resources, secrets, gateways);
      else if (hosts.length > 0) {
        const tls = resource.get("spec", "tls");
        if (!tls.exists) yield* plain(resource, tls);
        else yield* certified(resource, tls, hosts, resources, secrets);
      }
    }
  },
});

function* issued(certificate: PolicyResource): Generator<StackViolation> {
  const issuer = certificate.get("spec", "issuerRef", "name");
  if ((issuer.text ?? "") === "") yield violationOf(certificate, issuer, "It must name an issuer.");
}

/** A Gateway that only has listeners without TLS, and what is wrong with those that have it. */
function* withoutTls(gateway: PolicyResource): Generator<StackViolation> {
  const listeners = gateway.get("spec", "listeners");
  const protocols = listeners.items.map((listener) => listener.get("protocol").value);
  if (protocols.includes("HTTP") && !protocols.includes("HTTPS") && !protocols.includes("TLS"))
    yield violationOf(gateway, listeners, "One of them must have TLS: without it a route may only redirect to HTTPS.");
}

/** Hosts of an Ingress that no entry of its TLS covers. */
function* uncovered(ingress: PolicyResource): Generator<StackViolation> {
  const covered = ingress.get("spec", "tls").items.flatMap((tls) => textsOf(tls.get("hosts")));
  const open = routesOf(ingress).filter(
    ({ hosts }) => !hosts.every((host) => covered.some((name) => covers(name, host))),
  );
  // A host with several paths is told once.
  for (const [, { field }] of new Map(open.map((route) => [route.field.path, route])))
    yield violationOf(ingress, field, "The host must be among those of spec.tls.");
}

/** Violations of the listeners of a Gateway's route. */
function* attached(
  route: PolicyResource,
  hosts: readonly string[],
  resources: readonly PolicyResource[],
  secrets: readonly string[],
  elsewhere: readonly string[],
): Generator<StackViolation> {
  const onlySends = route.get("spec", "rules").items.every(sendsOn);
  if (onlySends || isShell(route)) return;
  for (const { field, gateway, attached } of parentsOf(route, resources)) {
    if (!attached && !elsewhere.includes(gateway))
      yield violationOf(
        route,
        field,
        "The Gateway is not in the stack, so it is unknown whether its listeners have TLS.",
      );
    for (const each of attached ?? []) yield* terminated(route, hosts, each, resources, secrets);
  }
}

function* terminated(
  route: PolicyResource,
  hosts: readonly string[],
  { gateway, listener }: Attached,
  resources: readonly PolicyResource[],
  secrets: readonly string[],
): Generator<StackViolation> {
  const tls = listener.get("tls");
  if (tls.get("mode").value === "Passthrough") return;
  const certificates = tls.get("certificateRefs").items;
  if (!["HTTPS", "TLS"].includes(listener.get("protocol").text ?? "") || certificates.length === 0) {
    yield violationOf(
      route,
      route.get("spec", "parentRefs"),
      "A route of a listener without TLS may only redirect to HTTPS.",
    );
    return;
  }
  for (const certificate of certificates)
    yield* certifiedBy(
      { resource: gateway, secret: certificate.get("name"), namespace: certificate.get("namespace").text },
      hosts,
      resources,
      secrets,
    );
}

/** A rule of a route that answers with an address by HTTPS, and reaches no service. */
function sendsOn(rule: Field): boolean {
  const isRedirect = (filter: Field) => filter.get("requestRedirect", "scheme").value === "https";
  return rule.get("backendRefs").items.length === 0 && rule.get("filters").items.some(isRedirect);
}

/** The product's own exception: SSH is encrypted by itself, and has no host name that TLS could show. */
function isShell(resource: PolicyResource): boolean {
  return resource.isIn("hearth/Forge") && resource.name === names.forge.shell;
}

function* plain(resource: PolicyResource, tls: Field): Generator<StackViolation> {
  if (!isShell(resource) && !resource.get("spec", "routes").items.every(sendsToHttps))
    yield violationOf(resource, tls, "A route without TLS may only redirect to HTTPS.");
}

/** Traefik's own service that answers nothing: what comes is answered by the middlewares. */
function sendsToHttps(route: Field): boolean {
  const isAnswered = (service: Field) =>
    service.get("kind").value === "TraefikService" && service.get("name").value === "noop@internal";
  return route.get("middlewares").items.length > 0 && route.get("services").items.every(isAnswered);
}

/** Violations of the Secret that a TLS entry names. */
function* certified(
  resource: PolicyResource,
  tls: Field,
  hosts: readonly string[],
  resources: readonly PolicyResource[],
  elsewhere: readonly string[],
): Generator<StackViolation> {
  // Traefik passes such connections on as they are, or asks for certificates itself.
  if (tls.get("passthrough").value === true || (tls.get("certResolver").text ?? "") !== "") return;
  yield* certifiedBy({ resource, secret: tls.get("secretName") }, hosts, resources, elsewhere);
}

/** Where a Secret with a certificate is named. */
interface NamedSecret {
  readonly resource: PolicyResource;
  readonly secret: Field;
  /** @default the resource's */
  readonly namespace?: string;
}

function* certifiedBy(
  { resource, secret, namespace = namespaceOf(resource) }: NamedSecret,
  hosts: readonly string[],
  resources: readonly PolicyResource[],
  elsewhere: readonly string[],
): Generator<StackViolation> {
  if ((secret.text ?? "") === "") {
    yield violationOf(resource, secret, "It must name the Secret of its certificate.");
    return;
  }
  if (elsewhere.includes(`${namespace}/${secret.text}`)) return;
  const makers = resources.filter((each) => namespaceOf(each) === namespace && secretOf(each) === secret.text);
  const certificates = makers.filter(({ groupKind }) => groupKind === certificateKind);
  const annotations = resource.get("metadata", "annotations");
  if (makers.length === 0 && !issuerAnnotations.some((key) => annotations.get(key).exists))
    yield violationOf(resource, secret, "Nothing in the stack makes this Secret.");
  const dnsNames = certificates.flatMap((each) => textsOf(each.get("spec", "dnsNames")));
  if (certificates.length > 0 && !hosts.every((host) => dnsNames.some((name) => covers(name, host))))
    yield violationOf(resource, secret, "Its Certificate does not cover all hosts of the route.");
}

/** Name of the Secret that a resource is or makes. */
function secretOf(resource: PolicyResource): string | undefined {
  if (resource.groupKind === certificateKind) return resource.get("spec", "secretName").text;
  if (resource.groupKind === "Secret") return resource.name;
  if (resource.groupKind !== externalSecretKind) return undefined;
  return resource.get("spec", "target", "name").text ?? resource.name;
}

function textsOf(list: Field): string[] {
  return list.items.map(({ text }) => text?.toLowerCase() ?? "");
}
