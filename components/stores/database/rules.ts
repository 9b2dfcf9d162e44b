import { judged, rulesOn } from "../../core/arguments.ts";
import { Profile } from "../../core/platform-args.ts";
import { alternatives, error, type Problem, shown, warning } from "../../core/problems.ts";
import { limits } from "../../limits/table.ts";
import { profileProblems } from "../../limits/value-rules.ts";
import type { DatabaseArgs, DatabaseRecoveryArgs } from "./args.ts";
import { clusterName, recoverySource } from "./recovery.ts";
import { database } from "./schema.ts";

const rule = rulesOn(database);

/** Rules between several of a database's arguments. */
export const databaseRules = [
  rule(["instances", "platform"], ({ instances, platform: { profile } }, widening) =>
    profileProblems(limits.databaseInstances, "instances", instances, { profile, limits: widening }),
  ),
  rule(["database", "databases", "clients"], clients),
  rule(["backup", "platform"], ({ backup, platform }) => (backup ? [] : withoutBackup(platform.profile))),
  rule(["recover", "backup"], ({ recover, backup }) => (recover && !backup ? [recoveryWithoutBackup] : [])),
  rule(["name", "recover"], ({ name, recover }) => inPlaceProblems("recover", name, recover)),
];

/** Everything wrong with a database's arguments. */
export const databaseProblems = judged(database, databaseRules);

function clients({
  clients: all,
  database: first,
  databases = [],
}: Pick<DatabaseArgs, "clients" | "database" | "databases">): Problem[] {
  const known = [first, ...databases.map(({ name }) => name)];
  return all.flatMap(({ database: wanted }, index) =>
    wanted === undefined || known.includes(wanted)
      ? []
      : [
          error(
            "unknown-database",
            `clients[${index}].database`,
            `The cluster has no database ${shown(wanted)}.`,
            `It has ${alternatives(known)}.`,
          ),
        ],
  );
}

function withoutBackup(profile: Profile): Problem[] {
  if (profile !== Profile.production) return [];
  return [warning("no-backup", "backup", "The database has no backups.", "Name a bucket for them.")];
}

const recoveryWithoutBackup = error(
  "recovery-without-backup",
  "recover",
  "A recovery reads backups, but no backups are configured.",
  "Set `backup` to the place of the old cluster's backups.",
);

/** A cluster can't be recovered into itself: its write-ahead log would go where that of the old one is. */
export function inPlaceProblems(path: string, name: string, recover: DatabaseRecoveryArgs | undefined): Problem[] {
  const named = { name, recover };
  if (!recover || recoverySource(named) !== clusterName(named)) return [];
  return [
    error(
      "recovery-in-place",
      `${path}.source`,
      `${clusterName(named)} can't be recovered from its own backups under the same name.`,
      "Set another suffix: the new cluster's write-ahead log needs a separate place.",
    ),
  ];
}
