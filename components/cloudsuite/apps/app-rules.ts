import type { Known } from "../../core/known.ts";
import { error, type Problem, shown, warning } from "../../core/problems.ts";
import { imageTag } from "../../core/value-rules.ts";
import { resourceProblems } from "../../kubernetes/resource-rules.ts";
import type { ResourceSpecArgs } from "../../kubernetes/resources-args.ts";

/** The version of the app `key`: there, a valid tag, and one that stays. */
export function appVersionProblems(key: string, path: string, tag: string | undefined): Problem[] {
  if (tag === undefined) return [missing(key, path, `The image tag of the ${key}.`)];
  const problems = imageTag(path, tag);
  if (problems.length > 0 || /\d/.test(tag)) return problems;
  return [warning("version-moves", path, `${shown(tag)} moves to another release by itself.`, "Name a version.")];
}

/** The resources of the app `key`: there, well formed, and as much as is recommended. */
export function appResourceProblems(
  key: string,
  resources: Known<ResourceSpecArgs> | undefined,
  recommended?: ResourceSpecArgs,
): Problem[] {
  const path = `${key}.resources`;
  if (resources === undefined) return [missing(key, path, `The resources of the ${key} pod.`)];
  return resourceProblems(path, resources, recommended);
}

/** A field that the app `key` needs once it is on. */
export function missing(key: string, path: string, what: string): Problem {
  return error("missing", path, "The field is missing.", `${what} It is required because ${key} is enabled.`);
}
