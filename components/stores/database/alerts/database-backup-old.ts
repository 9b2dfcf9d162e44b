import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** A day between two backups, and half a day for a late one. */
const seconds = 36 * 60 * 60;

/**
 * The plugin's own time of the last backup: `cnpg_collector_last_available_backup_timestamp` stands still with it
 * (cloudnative-pg 8902). 0 is "never".
 */
export const databaseBackupOld = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseBackupOld",
  severity: "page",
  for: "30m",
  expression: (args) =>
    args.backup
      ? `time() - max by (namespace, job) (barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${instances(args)}} > 0) > ${seconds}`
      : undefined,
  summary: ({ name }) => `The last backup of database ${name} is {{ $value | humanizeDuration }} old.`,
  metrics: {
    barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: databaseMetricSources.plugin,
  },
  runbook: {
    symptom: "The archive has no base backup of the last 36 hours. The write-ahead log may still arrive there.",
    users:
      "Nothing is slower or gone. A recovery starts from an older backup and replays more log, and the retention may delete the last good backup before a new one is there.",
    look: {
      text: "See whether backups are planned, when they ran and why the last one failed.",
      commands: [
        "kubectl -n platform get scheduledbackups.postgresql.cnpg.io",
        "kubectl -n platform get backups.postgresql.cnpg.io --sort-by=.metadata.creationTimestamp",
        "kubectl -n platform describe backups.postgresql.cnpg.io",
      ],
    },
    mend: {
      text: "A backup that stays `running` or `pending` blocks all later ones: delete that `Backup` object, which deletes nothing in the archive. Mend what its events name: mostly the keys of the object store, its space, or its certificate. Then make one at once.",
      commands: ["./hearth backup --stack prod"],
    },
    verify: {
      text: "The new `Backup` is `completed`. The alert ends with the next scrape.",
      commands: ["kubectl -n platform get backups.postgresql.cnpg.io"],
    },
    leave:
      "The object store is down by plan for less than a day. The log waits on the database's volume, so watch that.",
  },
});
