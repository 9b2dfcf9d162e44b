import type { Recorded } from "../../core/data-safety/recorded.ts";
import { type Change, refuseChange, refuseDowngrade } from "../../core/data-safety/refusals.ts";
import { dataName } from "../../core/plan.ts";
import { error, onlyIfMade, type Problem, warning } from "../../core/problems.ts";
import { resolve } from "../../core/resolve.ts";
import { volumeChanges } from "../../limits/volume-changes.ts";
import type { DatabaseArgs } from "./args.ts";
import { clusterName, recoveryInstant, recoverySource } from "./recovery.ts";
import { database } from "./schema.ts";

/** Changes of a running database that would lose its data; with a warning that says which recovery begins. */
export function databaseChanges(before: Recorded<DatabaseArgs>, now: Recorded<DatabaseArgs>): Problem[] {
  const allowed = now.platform.allowDataLoss;
  const object = dataName(clusterName(before), before.namespace);
  const change = (path: string, pick: (args: Recorded<DatabaseArgs>) => string | undefined): Change => ({
    path,
    object,
    before: pick(before),
    now: pick(now),
  });
  return [
    ...["name", "namespace", "database"].flatMap((key) =>
      refuseChange(
        change(key, (args) => args[key as "name"]),
        allowed,
      ),
    ),
    ...volumeChanges(
      change("storageSize", (args) => resolve(database.shape.storageSize, args.storageSize)),
      change("storageClass", (args) =>
        isRecovery(before, now) ? undefined : resolve(database.shape.storageClass, args.storageClass),
      ),
      now.platform,
    ),
    ...refuseDowngrade(
      change("version", (args) => args.version),
      allowed,
    ),
    ...onlyIfMade([object], majorUpgrade(before, now)),
    ...otherCluster(before, now, allowed),
    ...recoveryChanges(before, now),
    ...(before.backup
      ? refuseChange(
          {
            ...change("backup.bucket", (args) => args.backup?.bucket),
            object: before.backup.bucket,
            heldBy: [before.backup.bucket, object],
          },
          allowed,
        )
      : []),
  ];
}

/** The operator upgrades in place, with the database down; what was backed up by the old major stays of the old major. */
function majorUpgrade(before: Recorded<DatabaseArgs>, now: Recorded<DatabaseArgs>): Problem[] {
  if (!(Number(now.version) > Number(before.version))) return [];
  if (now.byDefault?.includes("version"))
    return [
      error(
        "upgrade-unasked",
        "version",
        `goes from ${before.version} to ${now.version}, the default of a new database, because no version is named.`,
        `Write \`version: "${before.version}"\`, which keeps it. docs/how-to/gitlab-19.md says how to upgrade it.`,
      ),
    ];
  return [
    warning(
      "major-upgrade",
      "version",
      `goes from ${before.version} to ${now.version}. The database is down during the upgrade, and backups made before it can't be recovered with ${now.version}.`,
      "Make a backup first. Right afterwards make a base backup and run ANALYZE: docs/explanation/data.md has the commands.",
    ),
  ];
}

/** Whether another cluster takes over that is made from the present one's backups: its volumes are new. */
function isRecovery(before: Recorded<DatabaseArgs>, now: Recorded<DatabaseArgs>): boolean {
  const present = clusterName(before);
  return now.recover !== undefined && clusterName(now) !== present && recoverySource(now) === present;
}

/** Another cluster may take over only by a recovery from the present one. */
function otherCluster(
  before: Recorded<DatabaseArgs>,
  now: Recorded<DatabaseArgs>,
  allowed: readonly string[] | undefined,
): Problem[] {
  const present = clusterName(before);
  if (clusterName(now) === present || isRecovery(before, now)) return [];
  const object = dataName(present, before.namespace);
  return refuseChange({ path: "recover", object, before: present, now: clusterName(now) }, allowed);
}

/** A recovery happens once, when its cluster is made. Its source can't change afterwards. */
function recoveryChanges(before: Recorded<DatabaseArgs>, now: Recorded<DatabaseArgs>): Problem[] {
  if (!now.recover) return [];
  const [cluster, source] = [clusterName(now), recoverySource(now)];
  const until = recoveredUntil(now);
  if (clusterName(before) === cluster) {
    if (recoverySource(before) === source && recoveredUntil(before) === until) return [];
    return onlyIfMade(
      [dataName(cluster, before.namespace)],
      [
        error(
          "recovery-done",
          "recover",
          `${cluster} has already been recovered from ${recoverySource(before)} ${recoveredUntil(before)}, so the change would have no effect.`,
          "Set another suffix: it makes another cluster.",
        ),
      ],
    );
  }
  if (before.version !== now.version)
    return [
      error(
        "recovery-version",
        "version",
        `goes from ${before.version} to ${now.version}, but only the major that wrote a backup can read it.`,
        `Recover with ${before.version} first, and set ${now.version} once that runs.`,
      ),
    ];
  return [recovery(now)];
}

/** A new database may be recovered from the backups of one that was elsewhere. */
export function databaseCreation(now: Recorded<DatabaseArgs>): Problem[] {
  if (!now.recover) return [];
  if (now.recover.keepSource === false) return [recovery(now)];
  return [
    error(
      "recovery-source",
      "recover.keepSource",
      `The database is new in this stack, so there is no ${recoverySource(now)} to keep beside it.`,
      "Set it to false. The recovery still reads the backups.",
    ),
  ];
}

/** Says at the preview which instant was understood. */
function recovery(now: Recorded<DatabaseArgs>): Problem {
  const source = recoverySource(now);
  return warning(
    "recovery",
    "recover",
    `${clusterName(now)} becomes the database, with the data of ${source} ${recoveredUntil(now)}. Later data is not in it.`,
    "Files in the object store do not go back.",
  );
}

function recoveredUntil({ recover }: Pick<DatabaseArgs, "recover">): string {
  const { targetTime } = recover ?? {};
  return targetTime === undefined ? "up to its last archived change" : `as of ${recoveryInstant(targetTime)}`;
}
