import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseExporterFails = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseExporterFails",
  severity: "ticket",
  for: "15m",
  expression: (args) =>
    `max by (namespace, pod) (cnpg_collector_last_collection_error{${instances(args)}}) == 1 or max by (namespace, pod) (cnpg_last_error{${instances(args)}}) == 1`,
  summary: ({ name }) => `{{ $labels.pod }} of database ${name} can't read some of its own numbers.`,
  metrics: {
    cnpg_collector_last_collection_error: databaseMetricSources.collector,
    cnpg_last_error: databaseMetricSources.userQueries,
  },
  runbook: {
    symptom:
      "A query or a plugin of the instance's exporter fails. Some numbers are old or missing, and alerts on them are blind.",
    users: "Nothing.",
    look: {
      text: "The log names the query.",
      commands: [
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50",
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
      ],
    },
    mend: {
      text: "After an upgrade of the operator or of PostgreSQL, see whether its makers know of it. A query of your own in `spec.monitoring` may not fit the new version.",
    },
    verify: {
      text: "The alert ends with the next scrape that works.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "The database is being recovered or upgraded.",
  },
});
