import { limits } from "../../limits/table.ts";
import type { DatabaseArgs, DatabaseRecoveryArgs } from "./args.ts";

type Named = Pick<DatabaseArgs, "name" | "recover">;

/** Name of the cluster that is the database now: after a recovery it has its suffix. */
export function clusterName({ name, recover }: Named): string {
  return recover ? `${name}-${suffix(recover)}` : name;
}

/** Name of the cluster a recovery reads. */
export function recoverySource({ name, recover }: Named): string {
  return recover?.source ?? name;
}

/**
 * Name of the archive that a cluster's backups and log go to. A major beyond the specification's has one of its own: an upgrade in place
 * begins the log anew, whose files would go over those of the old major. (CloudNativePG 1.30, docs/src/postgres_upgrades.md)
 */
export function archiveName(cluster: string, { version }: Pick<DatabaseArgs, "version">): string {
  return Number(version) > limits.databaseMajor.most() ? `${cluster}-pg${version}` : cluster;
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

/** Suffix made from the instant, if none is set: another instant makes another cluster. */
function suffix({ suffix, targetTime = "" }: DatabaseRecoveryArgs): string {
  return suffix ?? (recoveryInstant(targetTime) ?? "").slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
}
