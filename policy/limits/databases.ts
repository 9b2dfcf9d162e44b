import { parseVersion } from "@hearth-platform/hearth/core/versions";
import { type CountLimit, keepsLimit, wayOn } from "@hearth-platform/hearth/limits/limit";
import type { Field } from "../core/field.ts";
import { type ResourcePolicy, resourcePolicy, violation } from "../core/policy.ts";
import type { PolicyResource } from "../core/resource.ts";
import { limitsSetting } from "../core/stack-facts.ts";
import { circumstances, described, fieldAt, isOfSuite, tagOf } from "./suites.ts";

/** The row of a major version as a policy: of the databases of its owner. */
export function majorPolicy(limit: CountLimit): ResourcePolicy {
  return resourcePolicy({
    ...described(limit),
    unseen: "Databases made outside the stack, and what an image is beside its tag.",
    settings: {},
    kinds: [limit.object.kind, ...Object.keys(limit.fields)],
    *check(resource, _settings, stack) {
      if (isOfSuite(resource) !== (limit.owner === "suite")) return;
      const of = circumstances(limit, resource, stack);
      const field = fieldAt(resource, limit.fields);
      if (field && !field.exists) return;
      const [major, where] = field ? [wholeNumber(field), field] : imageMajor(resource);
      if (major === undefined || !keepsLimit(limit, major, of))
        yield violation(
          where,
          `${limit.told(of)}${wayOn(limit, major === undefined ? undefined : String(major), limitsSetting)}`,
        );
    },
  });
}

/** A number as people write one: digits alone. */
function wholeNumber(field: Field): number | undefined {
  return /^[1-9]\d*$/.test(field.text ?? String(field.number)) ? field.number : undefined;
}

/** The major in the catalogue's entry or the image's tag; without either it is whatever the operator's release brings. */
function imageMajor(resource: PolicyResource) {
  const catalogue = resource.get("spec", "imageCatalogRef");
  if (catalogue.exists) return [wholeNumber(catalogue.get("major")), catalogue.get("major")] as const;
  const image = resource.get("spec", "imageName");
  return [parseVersion(tagOf(image))?.[0], image] as const;
}
