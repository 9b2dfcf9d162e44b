import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseBackupUnknown = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseBackupUnknown",
  severity: "ticket",
  for: "1h",
  expression: (args) =>
    args.backup
      ? `absent(barman_cloud_cloudnative_pg_io_last_available_backup_timestamp{${instances(args)}}) and on () (cnpg_collector_up{${instances(args)}} == 1)`
      : undefined,
  summary: ({ name }) => `Nothing says whether database ${name} has backups.`,
  metrics: {
    barman_cloud_cloudnative_pg_io_last_available_backup_timestamp: databaseMetricSources.plugin,
    cnpg_collector_up: databaseMetricSources.collector,
  },
  runbook: {
    symptom: "The instances answer, but the backup plugin gives no times. No other alert on backups can tell anything.",
    users: "Nothing. Backups may work or not.",
    look: {
      text: "See whether the plugin's container runs in each instance, and what it says.",
      commands: [
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c plugin-barman-cloud --tail=50",
        "kubectl -n platform get objectstores.barmancloud.cnpg.io forge-db-backup -o jsonpath='{.status}'",
      ],
    },
    mend: {
      text: "If the plugin's Deployment is gone or older than 0.6, install the version that the page of prerequisites names. If a container hangs, delete that instance's pod, standbys first: the operator starts it again with its volume.",
    },
    verify: {
      text: "The object store's status has the times of the first and the last backup.",
      commands: ["kubectl -n platform get objectstores.barmancloud.cnpg.io forge-db-backup -o jsonpath='{.status}'"],
    },
    leave: "The database was made in the last hour.",
  },
});
