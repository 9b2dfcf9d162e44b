import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

const seconds = 15 * 60;

export const databaseIdleTransaction = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseIdleTransaction",
  severity: "ticket",
  for: "5m",
  expression: (args) =>
    `max by (namespace, pod, datname, usename) (cnpg_backends_max_tx_duration_seconds{${instances(args)},state=~"idle in transaction.*"}) > ${seconds}`,
  summary: ({ name }) =>
    `A transaction of {{ $labels.usename }} in {{ $labels.datname }}, database ${name}, has been open and idle for {{ $value | humanizeDuration }}.`,
  metrics: { cnpg_backends_max_tx_duration_seconds: databaseMetricSources.queries },
  runbook: {
    symptom: "A transaction has been open for more than 15 minutes, and nobody works in it.",
    users: "Mostly nothing. It may hold locks that others wait for, and keeps vacuum from cleaning up.",
    look: {
      text: "See whose it is, and what it did last.",
      commands: [
        "kubectl -n platform exec forge-db-1 -c postgres -- psql -c \"SELECT pid, usename, application_name, client_addr, xact_start, query FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' ORDER BY xact_start\"",
      ],
    },
    mend: {
      text: "If it is a person's console, ask them to end it. If it is a program, restart that program's pods: its transaction is rolled back, as it was never committed.",
    },
    verify: {
      text: "The same query shows no old transaction.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "A migration or a console session that somebody watches.",
  },
});
