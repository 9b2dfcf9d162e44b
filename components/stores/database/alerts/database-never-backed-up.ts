import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** The plugin says 0 where there is none. */
export const databaseNeverBackedUp = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseNeverBackedUp",
  severity: "page",
  for: "6h",
  expression: (args) =>
    args.backup
      ? `max by (namespace, job) (barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${instances(args)}}) == 0`
      : undefined,
  summary: ({ name }) => `Database ${name} has no backup at all.`,
  metrics: { barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: databaseMetricSources.plugin },
  runbook: {
    symptom: "The archive has not one base backup of this database.",
    users: "Nothing is slower or gone. But nothing could be recovered: the log alone is of no use.",
    look: {
      text: "The first backup begins with the database. See what became of it.",
      commands: [
        "kubectl -n platform get scheduledbackups.postgresql.cnpg.io",
        "kubectl -n platform describe backups.postgresql.cnpg.io",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c plugin-barman-cloud --tail=50",
      ],
    },
    mend: {
      text: "Mend what the events name: mostly the keys, the bucket or the certificate of the object store. Then make one at once.",
      commands: ["./hearth backup --stack prod"],
    },
    verify: {
      text: "The new `Backup` is `completed`.",
      commands: ["kubectl -n platform get backups.postgresql.cnpg.io"],
    },
    leave: "The first backup of a large database that was just recovered is still running.",
  },
});
