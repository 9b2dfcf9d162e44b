import { limits } from "../catalogue/limits.ts";
import { programs } from "../catalogue/releases.ts";
import type { Known } from "../core/known.ts";
import { error, type Problem, Severity, shown, warning } from "../core/problems.ts";
import { fixedSet, imageTag } from "../core/value-rules.ts";
import { isComparable } from "../core/versions.ts";
import { operatorMajor } from "../stores/database/majors.ts";
import type { CloudSuiteArgs } from "./args.ts";

type Suite = Known<CloudSuiteArgs>;

/** Rules of `versions`: tags that are valid, of the right image, and comparable where a downgrade loses data. Those of apps stand with the apps. */
export function versionProblems(suite: Suite): Problem[] {
  return [...cloudsuiteVersion(suite), ...databaseMajor(suite), ...keystoreVersion(suite)];
}

function cloudsuiteVersion({ versions }: Suite): Problem[] {
  const path = "versions.cloudsuite";
  const tag = versions?.cloudsuite;
  const problems = imageTag(path, tag);
  if (tag === undefined || problems.length > 0) return problems;
  if (/(^|-)fpm(-|$)/.test(tag))
    return [
      error(
        "image-variant",
        path,
        `${shown(tag)} is the FPM image, which has no web server.`,
        `Take the Apache image: ${programs.nextcloud.deployed}.`,
      ),
    ];
  const comparable = comparableVersion(path, tag, programs.nextcloud.deployed);
  if (comparable.length > 0 || /^\d+\.\d+\.\d+/.test(tag)) return comparable;
  return [
    warning(
      "version-moves",
      path,
      `${shown(tag)} moves to another release by itself.`,
      `Name the full version, for example ${programs.nextcloud.deployed}.`,
    ),
  ];
}

/** A version that can be compared, so that a downgrade can be refused. */
function comparableVersion(path: string, tag: string, example: string): Problem[] {
  if (isComparable(tag)) return [];
  return [
    error(
      "version-number",
      path,
      `${shown(tag)} does not start with a version number, so a downgrade could not be refused.`,
      `Write it like ${example}.`,
    ),
  ];
}

function databaseMajor({ versions }: Suite): Problem[] {
  const path = "versions.db";
  const found = versions?.db;
  const { min, max } = limits.databaseMajor;
  const supported = Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
  const problems = fixedSet(path, found, supported);
  if (found === undefined || problems.length > 0) return problems;
  // The file may be for a database elsewhere; a stack refuses what its operator does.
  return operatorMajor(path, found, Severity.warning);
}

function keystoreVersion({ versions }: Suite): Problem[] {
  const tag = versions?.keystore;
  const problems = imageTag("versions.keystore", tag);
  return tag === undefined || problems.length > 0
    ? problems
    : comparableVersion("versions.keystore", tag, programs.valkey.deployed);
}
