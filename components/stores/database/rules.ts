import { oldestRunMajor } from "../../catalogue/images.ts";
import { limits } from "../../catalogue/limits.ts";
import { Profile } from "../../core/platform-args.ts";
import { error, oneOf, type Problem, shown, warning } from "../../core/problems.ts";
import { bucketName, bytes, dnsLabel, endpointUrl, namespaceName } from "../../core/value-rules.ts";
import { resourceProblems } from "../../kubernetes/resource-rules.ts";
import type { DatabaseArgs, DatabaseBackupArgs, DatabaseClientArgs } from "./args.ts";
import { clusterName, recoveryProblems, recoverySource } from "./recovery.ts";

/** Databases PostgreSQL keeps for itself, which the operator refuses. */
const reservedDatabases = ["postgres", "template0", "template1"];

/** Everything wrong with a database's arguments. */
export function databaseProblems(args: DatabaseArgs): Problem[] {
  return [
    ...dnsLabel("name", args.name),
    ...namespaceName("namespace", args.namespace),
    ...major(args.version),
    ...databaseName("database", args.database),
    ...(args.databases ?? []).flatMap(({ name }, index) => databaseName(`databases[${index}].name`, name)),
    ...extensions("extensions", args.extensions),
    ...(args.databases ?? []).flatMap((extra, index) => extensions(`databases[${index}].extensions`, extra.extensions)),
    ...instances(args),
    ...bytes("storageSize", args.storageSize),
    ...(args.resources ? resourceProblems("resources", args.resources, limits.databaseResources) : []),
    ...clients(args),
    ...(args.backup ? backup(args.backup) : withoutBackup(args)),
    ...recovery(args),
  ];
}

function major(version: string): Problem[] {
  const { min, max } = limits.databaseMajor;
  const supported = Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
  if (!supported.includes(version))
    return [
      error("database-major", "version", `${shown(version)} is not a supported major.`, `Write ${oneOf(supported)}.`),
    ];
  if (Number(version) >= oldestRunMajor) return [];
  return [
    warning(
      "database-major-old",
      "version",
      `The database operator no longer runs PostgreSQL ${version}.`,
      `Take ${oneOf(supported.filter((each) => Number(each) >= oldestRunMajor))}.`,
    ),
  ];
}

function databaseName(path: string, name: string): Problem[] {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(name) && !reservedDatabases.includes(name)) return [];
  return [
    error(
      "database-name",
      path,
      `${shown(name)} can't be the name of a database.`,
      `Use lower-case letters, digits and underscores, no digit first, and none of ${reservedDatabases.join(", ")}.`,
    ),
  ];
}

function extensions(path: string, names: readonly string[] | undefined): Problem[] {
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

function instances({ instances: found, platform }: DatabaseArgs): Problem[] {
  const { production, development } = limits.databaseReplicas;
  if (found === undefined || found === production) return [];
  if (found === development)
    return platform.profile === Profile.production
      ? [
          warning(
            "no-failover",
            "instances",
            "One instance has no failover.",
            `Write ${production} for a primary and a standby.`,
          ),
        ]
      : [];
  return [
    error(
      "replicas",
      "instances",
      `${shown(found)} is not a number of instances.`,
      `Write ${production} (primary and standby) or ${development} (no failover).`,
    ),
  ];
}

function clients({ clients: all, database, databases }: DatabaseArgs): Problem[] {
  const known = [database, ...(databases ?? []).map(({ name }) => name)];
  const client = ({ connections, database: wanted }: DatabaseClientArgs, index: number) => [
    ...(Number.isInteger(connections) && connections > 0
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

function backup({ endpoint, bucket, schedule, retention }: DatabaseBackupArgs): Problem[] {
  return [
    ...endpointUrl("backup.endpoint", endpoint),
    ...bucketName("backup.bucket", bucket),
    ...(schedule === undefined || schedule.trim().split(/\s+/).length === 6
      ? []
      : [
          error(
            "backup-schedule",
            "backup.schedule",
            `${shown(schedule)} does not have six fields.`,
            "Seconds come first: `0 0 3 * * *` is every day at 3.",
          ),
        ]),
    ...(retention === undefined || /^[1-9]\d*[dwm]$/.test(retention)
      ? []
      : [
          error(
            "backup-retention",
            "backup.retention",
            `${shown(retention)} is not a time to keep backups.`,
            "Write a number of days, weeks or months: 30d, 4w, 1m.",
          ),
        ]),
  ];
}

function withoutBackup({ platform }: DatabaseArgs): Problem[] {
  if (platform.profile !== Profile.production) return [];
  return [warning("no-backup", "backup", "The database has no backups.", "Name a bucket for them.")];
}

function recovery(args: DatabaseArgs): Problem[] {
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
    ...(recoverySource(args) !== clusterName(args)
      ? []
      : [
          error(
            "recovery-in-place",
            "recover.source",
            `${clusterName(args)} can't be recovered into itself.`,
            "Take another suffix: the new cluster's write-ahead log needs a place of its own.",
          ),
        ]),
  ];
}
