import { oldestRunMajor } from "../catalogue/images.ts";
import { limits } from "../catalogue/limits.ts";
import { error, type Fault, oneOf, shown, warning } from "../core/faults.ts";
import type { Known } from "../core/known.ts";
import { fixedSet, imageTag } from "../core/value-rules.ts";
import { isComparable } from "../core/versions.ts";
import type { CloudSuiteArgs } from "./args.ts";

type Suite = Known<CloudSuiteArgs>;

/** Rules of `versions`: tags that are valid, of the right image, and comparable where a downgrade loses data. */
export function versionFaults(suite: Suite): Fault[] {
  const { office, whiteboard, versions } = suite;
  return [
    ...cloudsuiteVersion(suite),
    ...databaseMajor(suite),
    ...keystoreVersion(suite),
    ...(office ? optionalPartVersion("office", versions?.office) : []),
    ...(whiteboard ? optionalPartVersion("whiteboard", versions?.whiteboard) : []),
  ];
}

function cloudsuiteVersion({ versions }: Suite): Fault[] {
  const path = "versions.cloudsuite";
  const tag = versions?.cloudsuite;
  const faults = imageTag(path, tag);
  if (tag === undefined || faults.length > 0) return faults;
  if (/(^|-)fpm(-|$)/.test(tag))
    return [
      error(
        "image-variant",
        path,
        `${shown(tag)} is the FPM image, which has no web server.`,
        "Take the Apache image: 31.0.8-apache.",
      ),
    ];
  const comparable = comparableVersion(path, tag, "31.0.8-apache");
  if (comparable.length > 0 || /^\d+\.\d+\.\d+/.test(tag)) return comparable;
  return [
    warning(
      "version-moves",
      path,
      `${shown(tag)} moves to another release by itself.`,
      "Name the full version, for example 31.0.8-apache.",
    ),
  ];
}

/** A version that can be compared, so that a downgrade can be refused. */
function comparableVersion(path: string, tag: string, example: string): Fault[] {
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

function databaseMajor({ versions }: Suite): Fault[] {
  const path = "versions.db";
  const found = versions?.db;
  const { min, max } = limits.databaseMajor;
  const supported = Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
  const faults = fixedSet(path, found, supported);
  if (found === undefined || faults.length > 0 || Number(found) >= oldestRunMajor) return faults;
  return [
    warning(
      "database-major-old",
      path,
      `The database operator no longer runs PostgreSQL ${found}.`,
      `Take ${oneOf(supported.filter((major) => Number(major) >= oldestRunMajor))}.`,
    ),
  ];
}

function keystoreVersion({ versions }: Suite): Fault[] {
  const tag = versions?.keystore;
  const faults = imageTag("versions.keystore", tag);
  return tag === undefined || faults.length > 0 ? faults : comparableVersion("versions.keystore", tag, "8.1.4-alpine");
}

function optionalPartVersion(part: "office" | "whiteboard", tag: string | undefined): Fault[] {
  const path = `versions.${part}`;
  if (tag === undefined) return [missing(path, `The image tag of the ${part}.`)];
  const faults = imageTag(path, tag);
  if (faults.length > 0 || /\d/.test(tag)) return faults;
  return [warning("version-moves", path, `${shown(tag)} moves to another release by itself.`, "Name a version.")];
}

/** The fault of a field that an enabled part needs. */
export function missing(path: string, what: string): Fault {
  return error(
    "missing",
    path,
    "The field is missing.",
    `${what} It is required because ${path.includes("whiteboard") ? "whiteboard" : "office"} is enabled.`,
  );
}
