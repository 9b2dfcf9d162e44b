import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** Of 16 MiB each. */
const files = 30;

export const databaseWalPilesUp = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseWalPilesUp",
  severity: "page",
  for: "15m",
  expression: (args) =>
    args.backup
      ? `max by (namespace, pod) (cnpg_collector_pg_wal_archive_status{${instances(args)},value="ready"}) > ${files}`
      : undefined,
  summary: ({ name }) => `{{ $value }} files of log wait for the archive on {{ $labels.pod }} of database ${name}.`,
  metrics: { cnpg_collector_pg_wal_archive_status: databaseMetricSources.collector },
  runbook: {
    symptom:
      "More than 30 files of the write-ahead log, 480 MiB, wait for the archive. Archiving is too slow, hangs, or never worked.",
    users: "Nothing yet. A recovery would miss the last minutes, and the volume fills.",
    look: {
      text: "See whether archiving fails or is only slow, and how much room the volume has.",
      commands: [
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c plugin-barman-cloud --tail=50",
        "kubectl -n platform describe clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform exec forge-db-1 -c postgres -- df -h /var/lib/postgresql/data",
      ],
    },
    mend: {
      text: "If it fails, follow HearthDatabaseArchivingFails. If it is slow, see whether the object store or the way to it is. If the volume is nearly full, raise `hearth:database.storageSize`. Never delete files in `pg_wal`.",
    },
    verify: {
      text: "The number falls to zero or one.",
      commands: ["kubectl -n platform describe clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "A bulk load writes more than the object store takes, and the number already falls.",
  },
});
