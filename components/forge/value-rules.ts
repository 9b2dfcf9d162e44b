import { error, type Problem } from "../core/problems.ts";
import { isSchedule, neverComes } from "../core/schedule.ts";
import type { ValueRule } from "../core/schema.ts";
import { neverProblem } from "../core/value-rules.ts";
import { parseVersion } from "../core/versions.ts";
import { defaultVersion, forgeMajors } from "./versions.ts";

/** Rules on single values of a forge's arguments; its schema names them. */

/** Tags of a runner: they are listed with commas between them. */
export function runnerTags(path: string, values: readonly string[] | undefined): Problem[] {
  return (values ?? []).flatMap((value, index) => {
    const wrong = (message: string, remedy: string) => [error("runner-tag", `${path}[${index}]`, message, remedy)];
    if (value.includes(",") || value.trim() !== value)
      return wrong("The value is not one tag.", "Write each tag as a separate entry, without commas.");
    return values?.indexOf(value) === index ? [] : wrong("The value is listed twice.", "Write it once.");
  });
}

/** A release of a major whose configuration this is. A tag's `v` is the images' affair. */
export function forgeRelease(path: string, version: string | undefined): Problem[] {
  if (version === undefined) return [];
  const [major = 0, ...rest] = parseVersion(version) ?? [];
  if (rest.length !== 2 || !/^[\d.]+$/.test(version))
    return [
      error("forge-version", path, "The value is not a version of the forge.", `Write it like ${defaultVersion}.`),
    ];
  const { oldest, newest } = forgeMajors;
  if (major >= oldest && major <= newest) return [];
  return [
    error(
      "forge-major",
      path,
      `Forge ${version} is ${major > newest ? `newer than ${newest}` : `older than ${oldest}`}. hearth supports ${oldest} and ${newest}.`,
      `Use a version of ${major > newest ? newest : oldest}.`,
    ),
  ];
}

/** The version of a program beside the forge: three numbers, since its tag is made of them, and another would move. */
export const toolVersion =
  (example: string): ValueRule<string> =>
  (path, version) => {
    if (version === undefined || /^\d+\.\d+\.\d+$/.test(version)) return [];
    return [error("tool-version", path, "The value is not a version of three numbers.", `Write it like ${example}.`)];
  };

/** When backups are made: a schedule of a CronJob. */
export function backupSchedule(path: string, schedule: string | undefined): Problem[] {
  if (schedule === undefined) return [];
  if (isSchedule(schedule) && neverComes(schedule)) return [neverProblem("backup-schedule", path)];
  if (isSchedule(schedule)) return [];
  return [
    error(
      "backup-schedule",
      path,
      "The value is not a schedule of five fields.",
      "Write minute, hour, day, month and day of the week: `0 1 * * *` is every day at 1.",
    ),
  ];
}

/** A time zone that this program's own tables know. */
export function timeZone(path: string, name: string | undefined): Problem[] {
  if (name === undefined || isTimeZone(name)) return [];
  return [error("time-zone", path, "The value is not a time zone.", "Write it like Europe/Berlin.")];
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

/** Name of a provider or a directory: part of paths, and a key in the forge's database. */
export function identifier(path: string, name: string | undefined): Problem[] {
  if (name === undefined || /^[a-z][a-z0-9_]{0,62}$/.test(name)) return [];
  return [error("identifier", path, "The value is not a name.", "Use lower-case letters, digits and underscores.")];
}

/** A place in a directory. */
export function distinguishedName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || name.includes("=")) return [];
  return [
    error("ldap-base", path, "The value is not a distinguished name.", "Write it like ou=people,dc=example,dc=org."),
  ];
}

/** Where an application takes users back. */
export function redirectUri(path: string, uri: string | undefined): Problem[] {
  if (uri === undefined || URL.parse(uri)?.protocol === "https:") return [];
  return [
    error(
      "redirect-uri",
      path,
      "The value is not an https:// URL.",
      "Write it like https://hub.example.org/c/oidc/callback.",
    ),
  ];
}
