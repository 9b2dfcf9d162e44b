import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseDeadlocks = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseDeadlocks",
  severity: "ticket",
  for: "0m",
  expression: (args) =>
    `sum by (namespace, job, datname) (increase(cnpg_pg_stat_database_deadlocks{${instances(args)}}[15m])) > 5`,
  summary: ({ name }) =>
    `{{ $value | printf "%.0f" }} deadlocks in 15 minutes in {{ $labels.datname }}, database ${name}.`,
  metrics: { cnpg_pg_stat_database_deadlocks: databaseMetricSources.queries },
  runbook: {
    symptom:
      "Queries wait for one another in a circle, and PostgreSQL ends one of them. That happened more than five times in 15 minutes.",
    users: "Single requests fail and work the second time. Jobs are tried again by themselves.",
    look: {
      text: "The log names both queries of each deadlock.",
      commands: ["kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50"],
    },
    mend: {
      text: "After an upgrade, see whether the application's makers know of it. A script of your own that changes many rows should change them in a fixed order, or in smaller steps.",
    },
    verify: {
      text: "No new `deadlock detected` in the log.",
      commands: ["kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50"],
    },
    leave: "A data migration is running, and its deadlocks end with it.",
  },
});
