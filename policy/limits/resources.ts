import { servedApps } from "@hearth-platform/hearth/cloudsuite/apps/registry";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import type { ResourceSpecArgs } from "@hearth-platform/hearth/kubernetes/resources-args";
import { type ResourcesLimit, suiteKind } from "@hearth-platform/hearth/limits/limit";
import type { Field } from "../core/field.ts";
import { containers, workloadKinds } from "../core/pods.ts";
import {
  EnforcementLevel,
  type PolicySettings,
  PolicySeverity,
  type ResourcePolicy,
  resourcePolicy,
  type Violation,
  violation,
} from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import { circumstances, described, fieldAt, isOfSuite } from "./suites.ts";

const kinds = ["cpu", "memory"] as const;

const users: PolicySettings = {
  users: {
    description:
      "Number of users of a suite if the stack's settings don't set it. With 0 the smallest amounts are enough.",
    default: 0,
  },
};

/** A row of recommended resources as a policy. */
export function resourcesPolicy(limit: ResourcesLimit): ResourcePolicy {
  return resourcePolicy({
    ...described(limit),
    settings: limit.by === "users" ? users : {},
    unseen: `Parts made outside the stack${limit.object.name === undefined ? "" : ", and containers of another name than their part's"}.`,
    // A part stays one whatever kind runs it.
    kinds: [suiteKind, ...(limit.object.name === undefined ? [limit.object.kind] : workloadKinds)],
    *check(resource, settings, stack) {
      const row = limit.least(circumstances(limit, resource, stack, settings));
      for (const found of resourcesOf(resource, limit)) yield* below(found, row);
    },
  });
}

/** The resources of a part of a suite; none where the resource is no such part. A database has no containers of its own. */
function resourcesOf(resource: PolicyResource, { fields, object: { kind, name } }: ResourcesLimit): readonly Field[] {
  const own = fieldAt(resource, fields);
  if (own) return own.exists ? [own] : [];
  if (!isOfSuite(resource)) return [];
  if (name === undefined) return resource.groupKind === kind ? [resource.get("spec", "resources")] : [];
  if (resource.name !== name) return [];
  return containers(resource)
    .filter((container) => container.get("name").text === name)
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

/** Every ResourceSpec in the arguments of components. */
const specs: Readonly<Record<string, readonly (readonly string[])[]>> = {
  [suiteKind]: [
    ...["cloudsuite", "db", "keystore"].map((name) => ["resources", name]),
    ...servedApps.map(({ key }) => [key, "resources"]),
  ],
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
  severity: PolicySeverity.high,
  level: EnforcementLevel.mandatory,
  remediation: "Lower the request or raise the limit.",
  unseen: "Amounts that an operator or a LimitRange sets, and resources of a whole pod.",
  tags: ["limits", "resources"],
  settings: {},
  kinds: [...workloadKinds, ...Object.keys(specs)],
  *check(resource) {
    const paths = specs[resource.groupKind];
    const found = paths
      ? paths.map((path) => resource.get(...path))
      : containers(resource).map((container) => container.get("resources"));
    for (const each of found)
      for (const [kind, request] of each.get("requests").entries) {
        const most = each.get("limits", kind).quantity;
        if (most !== undefined && (request.quantity ?? 0) > most)
          yield violation(request, "The request is above the limit.");
      }
  },
});
