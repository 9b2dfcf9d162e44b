import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseConnectionsNearLimit = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseConnectionsNearLimit",
  severity: "ticket",
  for: "5m",
  expression: (args) =>
    `sum by (namespace, pod) (cnpg_backends_total{${instances(args)}}) / on (namespace, pod) cnpg_pg_settings_setting{${instances(args)},name="max_connections"} > 0.85`,
  summary: ({ name }) =>
    `{{ $value | humanizePercentage }} of the connections of {{ $labels.pod }}, database ${name}, are in use.`,
  metrics: {
    cnpg_backends_total: databaseMetricSources.queries,
    cnpg_pg_settings_setting: databaseMetricSources.queries,
  },
  runbook: {
    symptom: "More than 85 % of an instance's connections are in use.",
    users: "At 100 % new connections are refused: pages fail, jobs are tried again later.",
    look: {
      text: "See who holds connections, and what they do.",
      commands: [
        'kubectl -n platform exec forge-db-1 -c postgres -- psql -c "SELECT datname, usename, application_name, state, count(*) FROM pg_stat_activity GROUP BY 1, 2, 3, 4 ORDER BY 5 DESC"',
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
      ],
    },
    mend: {
      text: "hearth sizes the limit for the sum of all its clients behind the pooler. A client of your own that connects past the pooler breaks that sum: send it through the pooler. If an application leaks connections, restart its Deployment.",
    },
    verify: {
      text: "The share falls below 85 %.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "It peaks for minutes in a nightly job, and falls by itself.",
  },
});
