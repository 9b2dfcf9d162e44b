import { partOf } from "@hearth-platform/hearth/cloudsuite/metadata";
import { type Circumstances, type Limit, suiteKind } from "@hearth-platform/hearth/limits/limit";
import type { Field } from "../core/field.ts";
import { EnforcementLevel } from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import type { PolicyProfile, StackFacts } from "../core/stack-facts.ts";

/**
 * Level of what the specification recommends: told in development, and wanted in production, as `./hearth validate` does without
 * and with `--strict`.
 */
export const recommended: Readonly<Record<PolicyProfile, EnforcementLevel>> = {
  production: EnforcementLevel.mandatory,
  development: EnforcementLevel.advisory,
  maintenance: EnforcementLevel.advisory,
};

/** Whether a resource is a suite or belongs to one: the platform's own stores have the same kinds, and not the same limits. */
export function isOfSuite(resource: PolicyResource): boolean {
  if (resource.groupKind === suiteKind || resource.isIn(suiteKind)) return true;
  return resource.get("metadata", "labels", "app.kubernetes.io/part-of").text === partOf;
}

/** What the pack says of a row of the table in components/limits, whose names for databases are short here. */
export function described(limit: Limit) {
  const { id, title, rule, severity, required, remedy, tags, measure } = limit;
  return {
    id: `lim-${id.replace("database", "db")}`,
    title,
    rule,
    severity,
    level: required ? EnforcementLevel.mandatory : recommended,
    remediation: remedy,
    tags: ["limits", ...tags],
    ...(measure !== "set" && { admissionCounterpart: id }),
  };
}

/**
 * What a row's number depends on, at a resource. Only what this row goes by is read: the rest may not be known yet.
 * @param load of the policy's settings, where the stack's say none
 */
export function circumstances(
  { by }: Limit,
  resource: PolicyResource,
  { profile, limits, loads }: StackFacts,
  load: Readonly<Record<string, unknown>> = {},
): Circumstances {
  if (by === undefined) return { profile, limits };
  if (by === "storageClass") return { profile, limits, storageClass: resource.get("storage", "storageClass").text };
  const name = resource.groupKind === suiteKind ? resource.programName : (resource.parent?.split("::").at(-1) ?? "");
  const own = Object.hasOwn(loads, name) ? loads[name]?.[by] : undefined;
  return { profile, limits, [by]: own ?? load[by] };
}

/** The field of a resource that a table of paths by kind names; undefined for any other kind. */
export function fieldAt(
  resource: PolicyResource,
  paths: Readonly<Record<string, readonly string[]>>,
): Field | undefined {
  const path = Object.hasOwn(paths, resource.groupKind) ? paths[resource.groupKind] : undefined;
  return path && resource.get(...path);
}

/** The tag of an image; empty where it has none. */
export function tagOf(image: Field): string {
  return /:([^:/@]+)(?:@.*)?$/.exec(image.text ?? "")?.[1] ?? "";
}
