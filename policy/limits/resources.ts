import { limits, cloudsuiteResources as recommendedForUsers } from "@hearth-platform/hearth/catalogue/limits";
import { names } from "@hearth-platform/hearth/catalogue/names";
import { suiteApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import type { ResourceSpecArgs } from "@hearth-platform/hearth/kubernetes/resources-args";
import type { Field } from "../core/field.ts";
import { containers, workloadKinds } from "../core/pods.ts";
import { Level, type ResourcePolicy, resourcePolicy, Severity, type Violation, violation } from "../core/policy.ts";
import type { Resource } from "../core/resource.ts";
import { isOfSuite, loadOf, recommended, suite } from "./suites.ts";

const kinds = ["cpu", "memory"] as const;

/** Where a part of a suite has its resources: in the suite's arguments, and in the object that is made of them. */
interface Part {
  /** Path in the arguments. */
  readonly args: readonly string[];
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the workload and of its main container; a database has no containers of its own. */
  readonly workload?: string;
}

const parts = {
  cloudsuite: { args: ["resources", "cloudsuite"], kind: "apps/Deployment", workload: names.cloudsuite.web },
  db: { args: ["resources", "db"], kind: "postgresql.cnpg.io/Cluster" },
  keystore: { args: ["resources", "keystore"], kind: "apps/StatefulSet", workload: names.keystore },
} as const satisfies Record<string, Part>;

const appParts = suiteApps.map((app) => ({
  ...app,
  part: { args: [app.key, "resources"], kind: "apps/Deployment", workload: app.workload } satisfies Part,
}));

/** The resources of a part; none where the resource is no such part of a suite. */
function resourcesOf(resource: Resource, { args, kind, workload }: Part): readonly Field[] {
  if (resource.groupKind === suite) return [resource.get(...args)].filter(({ exists }) => exists);
  if (resource.groupKind !== kind || !isOfSuite(resource)) return [];
  if (workload === undefined) return [resource.get("spec", "resources")];
  if (resource.name !== workload) return [];
  return containers(resource)
    .filter((container) => container.get("name").text === workload)
    .map((container) => container.get("resources"));
}

/** Values below the recommendation. A missing request equals the limit, as the API server sets it. */
function* below(found: Field, row: ResourceSpecArgs): Generator<Violation> {
  for (const kind of kinds) {
    const limit = found.get("limits", kind);
    const request = found.get("requests", kind);
    for (const [field, least] of [
      [request.exists ? request : limit, row.requests[kind]],
      [limit, row.limits[kind]],
    ] as const)
      if ((field.quantity ?? 0) < (parseQuantity(least) ?? 0)) yield violation(field, `${least} is recommended.`);
  }
}

function text({ requests, limits }: ResourceSpecArgs): string {
  return `requests ${requests.cpu} and ${requests.memory}, limits ${limits.cpu} and ${limits.memory}`;
}

export const cloudsuiteResources = resourcePolicy({
  id: "lim-cloudsuite-resources",
  title: "Resources of a suite's web pods",
  rule: limits.cloudsuiteResources
    .map((row) => `${Number.isFinite(row.upToUsers) ? `Up to ${row.upToUsers}` : "More"} users need ${text(row)}.`)
    .join(" "),
  severity: Severity.medium,
  level: recommended,
  remediation: "Write the amounts for the number of users, or more.",
  tags: ["limits", "cloudsuite", "resources"],
  admissionCounterpart: "cloudsuite-resources",
  settings: {
    users: {
      description:
        "Number of users of a suite if the stack's settings don't set it. With 0 the smallest amounts are enough.",
      default: 0,
    },
  },
  kinds: [suite, parts.cloudsuite.kind],
  *check(resource, settings, stack) {
    const users = loadOf(resource, stack).users ?? settings.users;
    for (const found of resourcesOf(resource, parts.cloudsuite)) yield* below(found, recommendedForUsers(users));
  },
});

/** A row of recommended resources that is the same for every suite. */
function recommendation(key: string, what: string, part: Part, row: ResourceSpecArgs): ResourcePolicy {
  return resourcePolicy({
    id: `lim-${key}-resources`,
    title: `Resources of ${what}`,
    rule: `For ${what} of a suite the table recommends ${text(row)}.`,
    severity: Severity.low,
    level: recommended,
    remediation: "Write the recommended amounts, or more.",
    tags: ["limits", key === "db" ? "database" : key, "resources"],
    settings: {},
    admissionCounterpart: `${key === "db" ? "database" : key}-resources`,
    kinds: [suite, part.kind],
    *check(resource) {
      for (const found of resourcesOf(resource, part)) yield* below(found, row);
    },
  });
}

export const databaseResources = recommendation("db", "the database", parts.db, limits.databaseResources);
export const keystoreResources = recommendation("keystore", "the keystore", parts.keystore, limits.keystoreResources);
export const appResources = appParts.flatMap(({ key, title, part, recommended }) =>
  recommended ? [recommendation(key, title, part, recommended)] : [],
);

/** Every ResourceSpec in the arguments of components. */
const specs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [suite]: [...Object.values(parts), ...appParts.map(({ part }) => part)].map(({ args }) => args),
  "hearth/Database": [["resources"]],
  "hearth/Keystore": [["resources"]],
  "hearth/SiteWebhook": [["resources"]],
  "hearth/Forge": [
    ...["webservice", "proxy", "jobs", "gitstore", "shell", "toolbox", "runner"].map((name) => ["resources", name]),
    ["pages", "resources"],
    ["runner", "jobResources"],
  ],
  "hearth/Hub": ["core", "registry", "registryController", "jobservice", "portal", "jobs"].map((name) => [
    "resources",
    name,
  ]),
  "postgresql.cnpg.io/Cluster": [["spec", "resources"]],
};

export const requestsAndLimits = resourcePolicy({
  id: "lim-requests",
  title: "Requests below limits",
  rule: "A container's requests are not above its limits.",
  severity: Severity.high,
  level: Level.mandatory,
  remediation: "Lower the request or raise the limit.",
  tags: ["limits", "resources"],
  settings: {},
  kinds: [...workloadKinds, ...Object.keys(specs)],
  *check(resource) {
    const paths = specs[resource.groupKind];
    const found = paths
      ? paths.map((path) => resource.get(...path))
      : containers(resource).map((container) => container.get("resources"));
    for (const each of found)
      for (const kind of kinds) {
        const request = each.get("requests", kind);
        const most = each.get("limits", kind).quantity;
        if (most !== undefined && (request.quantity ?? 0) > most)
          yield violation(request, "The request is above the limit.");
      }
  },
});
