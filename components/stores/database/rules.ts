import { limits } from "../../catalogue/limits.ts";
import { judged } from "../../core/arguments.ts";
import type { Known } from "../../core/known.ts";
import { Profile } from "../../core/platform-args.ts";
import { error, oneOf, type Problem, shown, warning } from "../../core/problems.ts";
import { resourceProblems } from "../../kubernetes/resource-rules.ts";
import type { DatabaseArgs, DatabaseClientArgs, DatabaseRecoveryArgs } from "./args.ts";
import { clusterName, recoveryProblems, recoverySource } from "./recovery.ts";
import { database } from "./schema.ts";

/** Everything wrong with a database's arguments. */
export const databaseProblems = judged(database, [
  ({ instances, platform }) => instanceProblems("instances", instances, platform?.profile),
  ({ resources }) => (resources ? resourceProblems("resources", resources, limits.databaseResources) : []),
  clients,
  ({ backup, platform }) => (backup ? [] : withoutBackup(platform?.profile)),
  recovery,
]);

/** Problems of the number of instances. */
export function instanceProblems(path: string, found: number | undefined, profile: Profile | undefined): Problem[] {
  const { production, development } = limits.databaseReplicas;
  if (found === undefined || found === production) return [];
  if (found === development)
    return profile === Profile.production
      ? [
          warning(
            "no-failover",
            path,
            "One instance has no failover.",
            `Write ${production} for a primary and a standby.`,
          ),
        ]
      : [];
  return [
    error(
      "replicas",
      path,
      `${shown(found)} is not a number of instances.`,
      `Write ${production} (primary and standby) or ${development} (no failover).`,
    ),
  ];
}

function clients({ clients: all = [], database: first, databases }: Known<DatabaseArgs>): Problem[] {
  const known = [first, ...(databases ?? []).map((extra) => extra?.name)].filter((name) => name !== undefined);
  const client = ({ connections, database: wanted }: Known<DatabaseClientArgs> = {}, index: number) => [
    ...(connections === undefined || (Number.isInteger(connections) && connections > 0)
      ? []
      : [
          error(
            "connections",
            `clients[${index}].connections`,
            `${shown(connections)} is not a number of connections.`,
            "Write a whole number above 0.",
          ),
        ]),
    ...(wanted === undefined || known.includes(wanted)
      ? []
      : [
          error(
            "unknown-database",
            `clients[${index}].database`,
            `The cluster has no database ${shown(wanted)}.`,
            `It has ${oneOf(known)}.`,
          ),
        ]),
  ];
  return all.flatMap(client);
}

function withoutBackup(profile: Profile | undefined): Problem[] {
  if (profile !== Profile.production) return [];
  return [warning("no-backup", "backup", "The database has no backups.", "Name a bucket for them.")];
}

function recovery(args: Known<DatabaseArgs>): Problem[] {
  if (!args.recover) return [];
  return [
    ...recoveryProblems("recover", args.recover),
    ...(args.backup
      ? []
      : [
          error(
            "recovery-without-backup",
            "recover",
            "A recovery reads the backups, and none are named.",
            "Set `backup` to where the backups of the old cluster are.",
          ),
        ]),
    ...(args.name === undefined ? [] : inPlaceProblems("recover", args.name, args.recover)),
  ];
}

/** A cluster can't be recovered into itself: its write-ahead log would go where that of the old one is. */
export function inPlaceProblems(
  path: string,
  name: string,
  recover: Known<DatabaseRecoveryArgs> | undefined,
): Problem[] {
  const named = { name, recover: recover as DatabaseRecoveryArgs | undefined };
  if (!recover || recoverySource(named) !== clusterName(named)) return [];
  return [
    error(
      "recovery-in-place",
      `${path}.source`,
      `${clusterName(named)} can't be recovered into itself.`,
      "Take another suffix: the new cluster's write-ahead log needs a place of its own.",
    ),
  ];
}
