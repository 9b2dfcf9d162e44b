import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** A primary that was demoted keeps the number it had, so only the present one counts. (cloudnative-pg pg_collector.go) */
export const databaseUnsynchronised = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseUnsynchronised",
  severity: "ticket",
  for: "30m",
  expression: (args) =>
    args.instances > 1
      ? `max by (namespace, pod) (cnpg_collector_sync_replicas{${instances(args)},value="observed"} == 0 and on (namespace, pod) cnpg_pg_replication_in_recovery{${instances(args)}} == 0)`
      : undefined,
  summary: ({ name }) => `Commits on {{ $labels.pod }} of database ${name} wait for no standby.`,
  metrics: {
    cnpg_collector_sync_replicas: databaseMetricSources.collector,
    cnpg_pg_replication_in_recovery: databaseMetricSources.queries,
  },
  runbook: {
    symptom: "The primary commits without waiting for a standby.",
    users: "Nothing now. If the primary's node is lost, so are the last commits.",
    look: {
      text: "The operator lets commits pass while no standby is ready (`dataDurability: preferred`). See which one is missing.",
      commands: [
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform describe clusters.postgresql.cnpg.io forge-db",
      ],
    },
    mend: { text: "Bring the standby back: HearthDatabaseInstanceGone and HearthDatabaseNotStreaming say how." },
    verify: {
      text: "The alert ends once a standby follows again.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "A standby is being made anew, which takes long for a large database.",
  },
});
