import { alternatives, error, type Problem } from "../../core/problems.ts";
import { isSchedule, neverComes } from "../../core/schedule.ts";
import { dnsLabel, neverProblem } from "../../core/value-rules.ts";
import { allowedMajors, sharedDatabaseMajor } from "../../limits/counts.ts";
import type { DatabaseRecoveryArgs } from "./args.ts";
import { operatorMajor } from "./majors.ts";
import { recoveryInstant } from "./recovery.ts";

/** Rules on single values of a database's arguments; its schema names them. */

/** Databases PostgreSQL keeps for itself, which the operator refuses. */
const reservedDatabases = ["postgres", "template0", "template1"];

/** PostgreSQL's major for a database that the operator runs. It refuses what the operator's webhook refuses; a suite allows less. */
export function majorVersion(path: string, version: string | undefined): Problem[] {
  if (version === undefined) return [];
  const allowed = allowedMajors(sharedDatabaseMajor);
  if (!allowed.includes(version))
    return [error("database-major", path, "The value is not a supported major.", `Write ${alternatives(allowed)}.`)];
  return operatorMajor(path, version, allowed);
}

/** The name of a database. */
export function databaseName(path: string, name: string | undefined): Problem[] {
  if (name === undefined || (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !reservedDatabases.includes(name))) return [];
  return [
    error(
      "database-name",
      path,
      "The value can't be the name of a database.",
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
            "The value is not the name of an extension.",
            "Write it like pg_trgm.",
          ),
        ],
  );
}

/** When a base backup is taken. */
export function backupSchedule(path: string, schedule: string | undefined): Problem[] {
  if (schedule === undefined) return [];
  const isValid = isSchedule(schedule, { seconds: true });
  if (isValid && neverComes(schedule, { seconds: true })) return [neverProblem("backup-schedule", path)];
  if (isValid) return [];
  return [
    error(
      "backup-schedule",
      path,
      "The value is not a schedule of six fields.",
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
      "The value is not a time to keep backups.",
      "Write a number of days, weeks or months: 30d, 4w, 1m.",
    ),
  ];
}

/** Something names the point that is recovered. */
export function recoveryTarget(path: string, recover: DatabaseRecoveryArgs | undefined): Problem[] {
  if (!recover || recover.targetTime !== undefined || recover.suffix !== undefined) return [];
  return [
    error(
      "recovery-time",
      path,
      "The recovery names no point in time.",
      "Set targetTime, or only a suffix to recover everything that was archived.",
    ),
  ];
}

const longestSuffix = 30;

/** End of a cluster's name. The operator takes names up to 50 characters. (CloudNativePG 1.30, cluster_webhook.go) */
export function recoverySuffix(path: string, suffix: string | undefined): Problem[] {
  if (suffix === undefined || suffix.length <= longestSuffix) return dnsLabel(path, suffix);
  return [
    error("recovery-suffix", path, "The value is too long.", `Write ${longestSuffix} characters at most, e.g. r1.`),
  ];
}

/** A point in time that is past. */
export function recoveryTime(path: string, targetTime: string | undefined): Problem[] {
  if (targetTime === undefined) return [];
  const instant = recoveryInstant(targetTime);
  const remedy = "Write it like 2026-11-20 08:30:00, which is UTC, or with an offset: 2026-11-20 10:30:00+02:00.";
  if (instant === undefined) return [error("recovery-time", path, "The value is not a point in time.", remedy)];
  if (Date.parse(instant) <= Date.now()) return [];
  return [error("recovery-time", path, `The value is ${instant}, which is still to come.`, remedy)];
}
