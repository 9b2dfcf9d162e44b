import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, poolerPods } from "../metric-selectors.ts";

export const poolerClientsWait = defineAlert<ResolvedDatabase>({
  name: "HearthPoolerClientsWait",
  severity: "ticket",
  for: "5m",
  expression: (args) =>
    `max by (namespace, job, database, user) (cnpg_pgbouncer_pools_maxwait{${poolerPods(args)}}) > 5`,
  summary: ({ name }) =>
    `A client of {{ $labels.database }} has waited {{ $value | humanizeDuration }} for a connection to database ${name}.`,
  metrics: { cnpg_pgbouncer_pools_maxwait: databaseMetricSources.pooler },
  runbook: {
    symptom: "Clients wait for more than five seconds until the pooler has a connection for them.",
    users: "Pages are slow or time out.",
    look: {
      text: "See whether the database answers, and who holds the connections.",
      commands: [
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        'kubectl -n platform exec forge-db-1 -c postgres -- psql -c "SELECT datname, application_name, state, count(*) FROM pg_stat_activity GROUP BY 1, 2, 3 ORDER BY 4 DESC"',
      ],
    },
    mend: {
      text: "If the database is slow, mend that. If all connections are in use, an application has more processes than its settings say, or keeps them: restart its Deployment, and make the settings true.",
    },
    verify: {
      text: "Nobody waits.",
      commands: ["kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide"],
    },
    leave: "The database was restarted a minute ago, and everybody connects at once.",
  },
});
