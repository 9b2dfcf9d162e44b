import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** The time is -1 where nothing was archived yet. */
export const databaseArchivingFails = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseArchivingFails",
  severity: "page",
  for: "10m",
  expression: (args) =>
    args.backup
      ? `max by (namespace, pod) (cnpg_pg_stat_archiver_last_failed_time{${instances(args)}} > cnpg_pg_stat_archiver_last_archived_time{${instances(args)}})`
      : undefined,
  summary: ({ name }) =>
    `{{ $labels.pod }} of database ${name} fails to archive its log, last at {{ $value | humanizeTimestamp }}.`,
  metrics: {
    cnpg_pg_stat_archiver_last_failed_time: databaseMetricSources.queries,
    cnpg_pg_stat_archiver_last_archived_time: databaseMetricSources.queries,
  },
  runbook: {
    symptom: "The write-ahead log does not reach the archive: the last try failed.",
    users:
      "Nothing yet. Recovery is possible only up to the last file in the archive. The log stays on the volume, which fills: then the database stops.",
    look: {
      text: "The plugin's log says what the object store answers. See how much room the volume has.",
      commands: [
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c plugin-barman-cloud --tail=50",
        "kubectl -n platform describe objectstores.barmancloud.cnpg.io forge-db-backup",
        "kubectl -n platform get persistentvolumeclaims -l cnpg.io/cluster=forge-db",
        "kubectl -n platform exec forge-db-1 -c postgres -- df -h /var/lib/postgresql/data",
      ],
    },
    mend: {
      text: "Mend what the log names: keys, bucket, certificate, or the store's space. `Expected empty archive` means that another cluster's files are at that place: don't delete them, ask whose they are. If the volume is nearly full, raise `hearth:database.storageSize` first. Never delete files in `pg_wal`.",
    },
    verify: {
      text: "The log shows archived files, and the alert ends.",
      commands: ["kubectl -n platform logs -l cnpg.io/cluster=forge-db -c plugin-barman-cloud --tail=50"],
    },
    leave: "The object store is down for a known hour, and the volume has room for the log of that time.",
  },
});
