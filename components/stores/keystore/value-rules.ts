import { programs } from "../../catalogue/releases.ts";
import { error, type Problem } from "../../core/problems.ts";
import { imageTag } from "../../core/value-rules.ts";
import { isComparable } from "../../core/versions.ts";

/** Rules on single values of a keystore's arguments; its schema names them. */

/** Tag of the image; it says its version. */
export function keystoreVersion(path: string, tag: string | undefined): Problem[] {
  const problems = imageTag(path, tag);
  if (tag === undefined || problems.length > 0 || isComparable(tag)) return problems;
  return [
    error(
      "version-number",
      path,
      "The value does not start with a version number, so a downgrade could not be refused.",
      `Write it like ${programs.valkey.deployed}.`,
    ),
  ];
}
