import { partOf } from "@hearth-platform/hearth/cloudsuite/metadata";
import type { SuiteLoad } from "@hearth-platform/hearth/cloudsuite/sizing";
import type { Field } from "../core/field.ts";
import { Level } from "../core/policy.ts";
import type { Resource } from "../core/resource.ts";
import type { PolicyProfile, StackFacts } from "../core/stack-facts.ts";

/** Type of a suite's component. */
export const suite = "hearth/CloudSuite";

/**
 * Level of what the specification recommends: told in development, and wanted in production, as `./hearth validate` does without
 * and with `--strict`.
 */
export const recommended: Readonly<Record<PolicyProfile, Level>> = {
  production: Level.mandatory,
  development: Level.advisory,
  maintenance: Level.advisory,
};

/** Whether a resource is a suite or belongs to one: the platform's own stores have the same kinds, and not the same limits. */
export function isOfSuite(resource: Resource): boolean {
  if (resource.groupKind === suite || resource.isIn(suite)) return true;
  return resource.get("metadata", "labels", "app.kubernetes.io/part-of").text === partOf;
}

/** The users and files that a resource's suite is meant for; empty if the stack does not say. */
export function loadOf(resource: Resource, { loads }: StackFacts): SuiteLoad {
  const name = resource.groupKind === suite ? resource.programName : (resource.parent?.split("::").at(-1) ?? "");
  return (Object.hasOwn(loads, name) ? loads[name] : undefined) ?? {};
}

/** The field of a resource that a table of paths by kind names; undefined for any other kind. */
export function fieldAt(resource: Resource, paths: Readonly<Record<string, readonly string[]>>): Field | undefined {
  const path = Object.hasOwn(paths, resource.groupKind) ? paths[resource.groupKind] : undefined;
  return path && resource.get(...path);
}

/** The tag of an image; empty where it has none. */
export function tagOf(image: Field): string {
  return /:([^:/@]+)(?:@.*)?$/.exec(image.text ?? "")?.[1] ?? "";
}
