import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseNotStreaming = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseNotStreaming",
  severity: "ticket",
  for: "10m",
  expression: (args) =>
    args.instances > 1
      ? `max by (namespace, pod) (cnpg_pg_replication_in_recovery{${instances(args)}} == 1 and cnpg_pg_replication_is_wal_receiver_up{${instances(args)}} == 0)`
      : undefined,
  summary: ({ name }) => `Standby {{ $labels.pod }} of database ${name} does not follow the primary.`,
  metrics: {
    cnpg_pg_replication_in_recovery: databaseMetricSources.queries,
    cnpg_pg_replication_is_wal_receiver_up: databaseMetricSources.queries,
  },
  runbook: {
    symptom: "A standby receives no log from the primary.",
    users: "Nothing now. A failover to it would lose what it has not received.",
    look: {
      text: "The standby's log says why it can't connect, or which file of the log it misses.",
      commands: [
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50",
        "kubectl -n platform describe clusters.postgresql.cnpg.io forge-db",
      ],
    },
    mend: {
      text: "If the primary has removed log that the standby needs, the standby reads it from the archive: mend the archive. If it can't be had from there, raise `hearth:database.instances` by one, then `pulumi up`: the operator copies a new standby from the primary, and the old one can wait until somebody has time for it.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    verify: {
      text: "The alert ends once the receiver runs again.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "The standby was started in the last minutes and still catches up from the archive.",
  },
});
