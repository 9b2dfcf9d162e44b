import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import type { Field } from "../../core/field.ts";
import { EnforcementLevel, PolicySeverity, type StackViolation, stackPolicy, violationOf } from "../../core/policy.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf } from "../selection.ts";
import { anyHost, portKinds, routeKinds, routesOf } from "./routes.ts";

/** Where components and custom resources say their public hosts. */
const hostPaths: Readonly<Record<string, readonly (readonly string[])[]>> = {
  // An app without a host of its own has no such argument.
  "hearth/CloudSuite": [["domain"], ...servedApps.map(({ key }) => [key, "domain"])],
  "hearth/Forge": [["domain"]],
  "hearth/Hub": [["domain"]],
  "hearth/SiteWebhook": [["domain"]],
  "pages.kup6s.com/StaticSite": [["spec", "domain"]],
};

/** A host that something answers for. */
interface Claim {
  readonly resource: PolicyResource;
  readonly field: Field;
  readonly host: string;
  /** Who answers; one host has one. */
  readonly owner: string;
  /** Which of the host's requests; of a component or a site all. */
  readonly requests: string;
}

export const uniqueHosts = stackPolicy({
  id: "net-unique-host",
  title: "One answer for each host",
  rule: "A public host belongs to one namespace and one component. No two routes match the same requests. Only the forge's static sites answer for every host below a domain.",
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Give each its own host or path, or name the route in `wildcards`.",
  unseen:
    "Routes made outside the stack, and hosts that a regular expression describes in another way than the forge's.",
  tags: ["network", "exposure"],
  settings: {
    wildcards: {
      description: "Routes that may answer for a wildcard or for any host, as namespace/name.",
      default: [] as readonly string[],
    },
  },
  kinds: [...Object.values(routeKinds), ...Object.keys(hostPaths)],
  *checkStack(resources, { wildcards }) {
    const named = resources.flatMap(namedHosts);
    const hostsOf = Map.groupBy(named, ({ resource }) => resource.urn);
    const routes = resources.flatMap(routeClaims);
    // A component has claimed the hosts of its own routes already.
    const ownClaim = ({ resource, host }: Claim) =>
      hostsOf.get(resource.parent ?? "")?.some((claim) => claim.host === host) ?? false;
    for (const claim of routes) if (isWildcard(claim) && !mayBeWildcard(claim, wildcards)) yield wildcard(claim);
    const isOthers = (before: Claim, claim: Claim) => claim.host !== anyHost && before.owner !== claim.owner;
    yield* conflicts(
      [...named, ...routes.filter((claim) => !ownClaim(claim))],
      ({ host }) => host,
      (before, claim) => (isOthers(before, claim) ? "Another namespace or component has this host." : undefined),
    );
    yield* conflicts(
      routes,
      ({ host, requests }) => `${host} ${requests}`,
      (before, claim) =>
        isOthers(before, claim) ? undefined : "Another route matches the same requests of this host.",
    );
  },
});

/** Claims of a resource besides routes. */
function namedHosts(resource: PolicyResource): Claim[] {
  const namespace = resource.groupKind.startsWith("hearth/") ? resource.get("namespace").text : namespaceOf(resource);
  return (hostPaths[resource.groupKind] ?? [])
    .map((path) => resource.get(...path))
    .filter((field) => field.exists)
    .map((field) => ({
      resource,
      field,
      host: field.text?.toLowerCase() ?? "",
      owner: `${namespace}/${resource.programName}`,
      requests: anyHost,
    }));
}

function routeClaims(resource: PolicyResource): Claim[] {
  return routesOf(resource).flatMap(({ field, hosts, rest }) =>
    hosts.map((host) => ({ resource, field, host, owner: namespaceOf(resource), requests: rest })),
  );
}

function isWildcard({ resource, host }: Claim): boolean {
  return host.startsWith("*") && !portKinds.includes(resource.groupKind);
}

/** The product's own exception: every static site of the forge has a host of its own below one domain. */
function mayBeWildcard({ resource, host }: Claim, allowed: readonly string[]): boolean {
  const isOfSites = resource.isIn("hearth/Forge") && host !== anyHost;
  return isOfSites || allowed.includes(`${namespaceOf(resource)}/${resource.name ?? ""}`);
}

function wildcard({ resource, field }: Claim): StackViolation {
  return violationOf(resource, field, "It must name hosts, not a wildcard.");
}

/** Violations of claims that follow another claim with the same key. */
function* conflicts(
  claims: readonly Claim[],
  keyOf: (claim: Claim) => string,
  problem: (before: Claim, claim: Claim) => string | undefined,
): Generator<StackViolation> {
  const first = new Map<string, Claim>();
  for (const claim of claims) {
    const before = first.get(keyOf(claim));
    if (!before) first.set(keyOf(claim), claim);
    const message = before && problem(before, claim);
    if (message) yield violationOf(claim.resource, claim.field, message);
  }
}
