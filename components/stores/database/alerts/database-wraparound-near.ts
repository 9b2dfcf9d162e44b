import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** Autovacuum begins to freeze at 200 million, so this is far too late for it, and long before the end at 2^31. */
const age = 500_000_000;

export const databaseWraparoundNear = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseWraparoundNear",
  severity: "ticket",
  for: "1h",
  expression: (args) => `max by (namespace, job, datname) (cnpg_pg_database_xid_age{${instances(args)}}) > ${age}`,
  summary: ({ name }) =>
    `The oldest transaction of {{ $labels.datname }}, database ${name}, is {{ $value | humanize }} transactions old.`,
  metrics: { cnpg_pg_database_xid_age: databaseMetricSources.queries },
  runbook: {
    symptom:
      "Vacuum does not freeze old rows fast enough: more than 500 million transactions lie between the oldest one and now.",
    users: "Nothing yet. At about two thousand million PostgreSQL takes no more writes.",
    look: {
      text: "See which tables are oldest, and what keeps vacuum back: a long transaction, an unused slot, or a prepared transaction.",
      commands: [
        "kubectl -n platform exec forge-db-1 -c postgres -- psql -c \"SELECT relname, age(relfrozenxid) FROM pg_class WHERE relkind = 'r' ORDER BY 2 DESC LIMIT 10\" forge",
        'kubectl -n platform exec forge-db-1 -c postgres -- psql -c "SELECT slot_name, active, xmin, catalog_xmin FROM pg_replication_slots"',
        'kubectl -n platform exec forge-db-1 -c postgres -- psql -c "SELECT gid, prepared, database FROM pg_prepared_xacts"',
      ],
    },
    mend: {
      text: "End what keeps it back. Then vacuum the oldest tables, at a quiet hour; `VACUUM` without `FULL` locks nobody out.",
      commands: [
        'kubectl -n platform exec forge-db-1 -c postgres -- psql -c "VACUUM (FREEZE, VERBOSE) TABLE_NAME" forge',
      ],
    },
    verify: {
      text: "The age of the table falls in the first query.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "An autovacuum `to prevent wraparound` is running: let it end, and don't cancel it.",
  },
});
