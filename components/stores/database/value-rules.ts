import { error, oneOf, type Problem, shown } from "../../core/problems.ts";
import { isSchedule } from "../../core/schedule.ts";
import { allowedMajors, operatorMajor } from "./majors.ts";

/** Rules on single values of a database's arguments; its schema names them. */

/** Databases PostgreSQL keeps for itself, which the operator refuses. */
const reservedDatabases = ["postgres", "template0", "template1"];

/** PostgreSQL's major, of a database that the operator is to run: what its webhook refuses is refused here. */
export function databaseMajor(path: string, version: string | undefined): Problem[] {
  if (version === undefined) return [];
  if (!allowedMajors.includes(version))
    return [
      error("database-major", path, `${shown(version)} is not a supported major.`, `Write ${oneOf(allowedMajors)}.`),
    ];
  return operatorMajor(path, version);
}

/** The name of a database. */
export function databaseName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !reservedDatabases.includes(name))) return [];
  return [
    error(
      "database-name",
      path,
      `${shown(name)} can't be the name of a database.`,
      `Use lower-case letters, digits and underscores, no digit first, and none of ${reservedDatabases.join(", ")}.`,
    ),
  ];
}

/** Names of extensions. */
export function extensions(path: string, names: readonly string[] | undefined): Problem[] {
  return (names ?? []).flatMap((name, index) =>
    /^[a-z][a-z0-9_-]*$/.test(name)
      ? []
      : [
          error(
            "extension-name",
            `${path}[${index}]`,
            `${shown(name)} is not the name of an extension.`,
            "Write it like pg_trgm.",
          ),
        ],
  );
}

/** When a base backup is taken. */
export function backupSchedule(path: string, schedule: string | undefined): Problem[] {
  if (schedule === undefined || isSchedule(schedule, { seconds: true })) return [];
  return [
    error(
      "backup-schedule",
      path,
      `${shown(schedule)} is not a schedule of six fields.`,
      "Seconds come first: `0 0 3 * * *` is every day at 3.",
    ),
  ];
}

/** How far back a recovery can go. */
export function backupRetention(path: string, retention: string | undefined): Problem[] {
  if (retention === undefined || /^[1-9]\d*[dwm]$/.test(retention)) return [];
  return [
    error(
      "backup-retention",
      path,
      `${shown(retention)} is not a time to keep backups.`,
      "Write a number of days, weeks or months: 30d, 4w, 1m.",
    ),
  ];
}
