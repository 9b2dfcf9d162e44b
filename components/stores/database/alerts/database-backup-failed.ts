import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseBackupFailed = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseBackupFailed",
  severity: "ticket",
  for: "15m",
  expression: (args) =>
    args.backup
      ? `max by (namespace, job) (barman_cloud_cloudnative_pg_io_last_failed_backup_timestamp{${instances(args)}}) > max by (namespace, job) (barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${instances(args)}})`
      : undefined,
  summary: ({ name }) => `The last backup of database ${name} failed at {{ $value | humanizeTimestamp }}.`,
  metrics: {
    barman_cloud_cloudnative_pg_io_last_failed_backup_timestamp: databaseMetricSources.plugin,
    barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: databaseMetricSources.plugin,
  },
  runbook: {
    symptom: "The last base backup failed. Older ones are there.",
    users: "Nothing. HearthDatabaseBackupOld wakes somebody if none works within 36 hours.",
    look: {
      text: "See why it failed.",
      commands: [
        "kubectl -n platform get backups.postgresql.cnpg.io --sort-by=.metadata.creationTimestamp",
        "kubectl -n platform describe backups.postgresql.cnpg.io",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c plugin-barman-cloud --tail=50",
      ],
    },
    mend: { text: "Mend what it names. Then make one at once.", commands: ["./hearth backup --stack prod"] },
    verify: {
      text: "The new `Backup` is `completed`.",
      commands: ["kubectl -n platform get backups.postgresql.cnpg.io"],
    },
    leave: "The reason is known and gone, and the next backup by the clock is at hand.",
  },
});
