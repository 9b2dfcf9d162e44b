import { limits, storageClasses } from "../catalogue/limits.ts";
import { programs } from "../catalogue/releases.ts";
import { addedClasses, mostWebPods } from "../catalogue/widening.ts";
import type { LimitsArgs } from "../core/limits-args.ts";
import { error, type Problem, Severity, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import type { ValueRule } from "../core/schema.ts";
import { bucketName, bytes, fixedSet, imageTag } from "../core/value-rules.ts";
import { isComparable } from "../core/versions.ts";
import { allowedMajors, operatorMajor } from "../stores/database/majors.ts";

/** Rules on single values of a suite; its schema names them, and so config.yaml has them, too. */

/** Location codes of the object store (specification, `s3.region`). */
export const locations = ["fsn1", "nbg1", "hel1"] as const;

/** Where the object store is. */
export function storeLocation(path: string, region: string | undefined, widening?: LimitsArgs): Problem[] {
  return fixedSet(path, region, [...locations, ...(widening?.regions ?? []).map(({ name }) => name)]);
}

/** Class of the web volume. */
export function storageClass(path: string, name: string | undefined, widening?: LimitsArgs): Problem[] {
  return fixedSet(path, name, [...Object.values(storageClasses), ...addedClasses(widening)]);
}

/** Tag of the suite's image: of the right variant, and comparable, since a downgrade loses data. */
export function cloudsuiteVersion(path: string, tag: string | undefined): Problem[] {
  const problems = imageTag(path, tag);
  if (tag === undefined || problems.length > 0) return problems;
  if (/(^|-)fpm(-|$)/.test(tag))
    return [
      error(
        "image-variant",
        path,
        "The value is the FPM image, which has no web server.",
        `Use the Apache image: ${programs.nextcloud.deployed}.`,
      ),
    ];
  if (!isComparable(tag))
    return [
      error(
        "version-number",
        path,
        "The value does not start with a version number, so a downgrade could not be refused.",
        `Write it like ${programs.nextcloud.deployed}.`,
      ),
    ];
  return /^\d+\.\d+\.\d+/.test(tag)
    ? []
    : [moves(path, `Name the full version, for example ${programs.nextcloud.deployed}.`)];
}

/** Tag of an optional part's image. */
export function partVersion(path: string, tag: string | undefined): Problem[] {
  const problems = imageTag(path, tag);
  if (tag === undefined || problems.length > 0 || /\d/.test(tag)) return problems;
  return [moves(path, "Name a version.")];
}

function moves(path: string, remedy: string): Problem {
  return warning("version-moves", path, "The tag moves to newer releases.", remedy);
}

/** PostgreSQL's major. The file may be for a database elsewhere; a stack refuses what its operator does. */
export function databaseVersion(path: string, major: string | undefined, widening?: LimitsArgs): Problem[] {
  const problems = fixedSet(path, major, allowedMajors(widening));
  return major === undefined || problems.length > 0 ? problems : operatorMajor(path, major, widening, Severity.warning);
}

/** A suite's bucket has its use in front and a suffix at the end. */
export const suiteBucket =
  (use: "data" | "backups"): ValueRule<string> =>
  (path, name) => {
    const problems = bucketName(path, name);
    if (name === undefined || problems.length > 0 || new RegExp(`^${use}-[^.]+-[^-.]+$`).test(name)) return problems;
    return [
      warning(
        "bucket-shape",
        path,
        `The value does not have the form ${use}-{instance}-<suffix>.`,
        `The usual name is like ${use}-team-a1b2.`,
      ),
    ];
  };

/** Volume of the keystore. */
export function keystoreSize(path: string, size: string | undefined): Problem[] {
  const problems = bytes(path, size);
  const recommended = parseQuantity(limits.keystoreSize) ?? 0;
  if (size === undefined || problems.length > 0 || (parseQuantity(size) ?? 0) >= recommended) return problems;
  return [
    warning(
      "keystore-size",
      path,
      `${size} is below the recommended ${limits.keystoreSize}.`,
      `Write ${limits.keystoreSize}.`,
    ),
  ];
}

/** Web pods: as many as a volume with many writers bears. */
export function webPods(path: string, count: number | undefined, widening?: LimitsArgs): Problem[] {
  const { smb, replicatedBlock } = storageClasses;
  const most = mostWebPods(smb, widening);
  if (count === undefined || (count >= 1 && count <= most)) return [];
  return [notAllowed(path, "web pods", `Write 1 with ${replicatedBlock}, 1 to ${most} with ${smb}.`)];
}

/** Keystore pods. */
export function keystorePods(path: string, count: number | undefined): Problem[] {
  if (count === undefined || count === limits.keystoreReplicas) return [];
  return [notAllowed(path, "keystore pods", `Write ${limits.keystoreReplicas}.`)];
}

function notAllowed(path: string, what: string, remedy: string): Problem {
  return error("replicas", path, `The value is not an allowed number of ${what}.`, remedy);
}
