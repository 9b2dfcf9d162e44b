import type { Known } from "../../core/known.ts";
import { error, type Problem, shown } from "../../core/problems.ts";
import { dnsLabel } from "../../core/value-rules.ts";
import type { DatabaseArgs, DatabaseRecoveryArgs } from "./args.ts";

type Named = Pick<DatabaseArgs, "name" | "recover">;

const longestSuffix = 30;

/** Name of the cluster that is the database now: after a recovery it has its suffix. */
export function clusterName({ name, recover }: Named): string {
  return recover ? `${name}-${suffix(recover)}` : name;
}

/** Name of the cluster a recovery reads. */
export function recoverySource({ name, recover }: Named): string {
  return recover?.source ?? name;
}

/**
 * A point in time as the operator takes it, in UTC: `2026-11-20 10:30:00+02:00` → `2026-11-20T08:30:00Z`. Without an offset it is UTC.
 * @returns undefined where the text is no point in time
 */
export function recoveryInstant(text: string): string | undefined {
  const [, day, time, offset = "Z"] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,3})?) ?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? [];
  const local = new Date(`${day}T${time}Z`);
  // JavaScript takes February 30 for March 2.
  if (Number.isNaN(local.valueOf()) || !local.toISOString().startsWith(`${day}T`)) return undefined;
  const instant = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(instant.valueOf()) ? undefined : instant.toISOString().replace(".000Z", "Z");
}

/** What is wrong with a recovery, whatever its database. */
export function recoveryProblems(path: string, recover: Known<DatabaseRecoveryArgs> | undefined): Problem[] {
  if (!recover) return [];
  const { targetTime } = recover;
  if (targetTime === undefined && recover.suffix === undefined)
    return [
      error(
        "recovery-time",
        path,
        "The recovery names no point in time.",
        "Write targetTime; or a suffix alone, to recover all that was archived.",
      ),
    ];
  return [...suffixProblems(`${path}.suffix`, recover.suffix), ...timeProblems(`${path}.targetTime`, targetTime)];
}

/** The operator takes names of clusters up to 50 characters. (CloudNativePG 1.30, cluster_webhook.go) */
function suffixProblems(path: string, suffix: string | undefined): Problem[] {
  if (suffix === undefined || suffix.length <= longestSuffix) return dnsLabel(path, suffix);
  return [
    error(
      "recovery-suffix",
      path,
      `${shown(suffix)} is too long.`,
      `Write ${longestSuffix} characters at most, e.g. r1.`,
    ),
  ];
}

function timeProblems(path: string, targetTime: string | undefined): Problem[] {
  if (targetTime === undefined) return [];
  const instant = recoveryInstant(targetTime);
  const remedy = "Write it like 2026-11-20 08:30:00, which is UTC, or with an offset: 2026-11-20 10:30:00+02:00.";
  if (instant === undefined)
    return [error("recovery-time", path, `${shown(targetTime)} is not a point in time.`, remedy)];
  if (Date.parse(instant) <= Date.now()) return [];
  return [error("recovery-time", path, `${shown(targetTime)} is ${instant}, which is still to come.`, remedy)];
}

/** Of the instant, where none is given: another instant makes another cluster. */
function suffix({ suffix, targetTime = "" }: DatabaseRecoveryArgs): string {
  return suffix ?? (recoveryInstant(targetTime) ?? "").slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}
