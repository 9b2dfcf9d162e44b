import { programs } from "../catalogue/releases.ts";
import type { LimitsArgs } from "../core/limits-args.ts";
import { error, type Problem, Severity, warning } from "../core/problems.ts";
import type { ValueRule } from "../core/schema.ts";
import { addressCredentials, bucketName, fixedSet, imageTag, notInUrl } from "../core/value-rules.ts";
import { isComparable } from "../core/versions.ts";
import { allowedMajors, databaseMajor } from "../limits/counts.ts";
import { wayOn } from "../limits/limit.ts";
import { operatorMajor } from "../stores/database/majors.ts";

/** Rules on single values of a suite; its schema names them, and so config.yaml has them, too. */

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
  const allowed = allowedMajors(databaseMajor, { limits: widening });
  const problems = fixedSet(path, major, allowed, (found) => wayOn(databaseMajor, found));
  return major === undefined || problems.length > 0 ? problems : operatorMajor(path, major, allowed, Severity.warning);
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

/** A country by its two letters. */
export function country(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[A-Z]{2}$/.test(value)) return [];
  return [
    error("country", path, "The value is not a country.", "Write its two capital letters (ISO 3166-1), e.g. DE."),
  ];
}

/** A language as Nextcloud names them. */
export function language(path: string, value: string | undefined): Problem[] {
  if (value === undefined || /^[a-z]{2,3}(_[A-Z]{2})?$/.test(value)) return [];
  return [error("language", path, "The value is not a language.", "Write it like de, de_DE or pt_BR.")];
}

/** The address of a mirror of the app store. Nextcloud appends the names of its files. (nextcloud/server lib/private/App/AppStore/Fetcher/Fetcher.php) */
export function storeUrl(path: string, value: string | undefined): Problem[] {
  const credentials = addressCredentials(path, value, "Nextcloud signs in to no mirror.");
  if (value === undefined || credentials.length > 0) return credentials;
  const remedy = "Write it like https://apps.example.org/api/v1.";
  if (URL.parse(value)?.protocol !== "https:" || notInUrl.test(value))
    return [error("app-store", path, "The value is not an https:// URL.", remedy)];
  return /[?#]|\/$/.test(value)
    ? [error("app-store", path, "The URL has a query, a fragment, or a slash at its end.", remedy)]
    : [];
}
