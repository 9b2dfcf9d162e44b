import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

const bytes = 5 * 2 ** 30;

export const databaseSlotHoldsWal = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseSlotHoldsWal",
  severity: "ticket",
  for: "15m",
  expression: (args) =>
    `max by (namespace, pod, slot_name) (cnpg_pg_replication_slots_pg_wal_lsn_diff{${instances(args)}} > ${bytes} and on (namespace, pod, slot_name) cnpg_pg_replication_slots_active{${instances(args)}} == 0)`,
  summary: ({ name }) =>
    `Slot {{ $labels.slot_name }} on {{ $labels.pod }} of database ${name} is unused and keeps {{ $value | humanize1024 }}B of log.`,
  metrics: {
    cnpg_pg_replication_slots_pg_wal_lsn_diff: databaseMetricSources.queries,
    cnpg_pg_replication_slots_active: databaseMetricSources.queries,
  },
  runbook: {
    symptom: "A replication slot that nobody reads keeps more than 5 GiB of log on the volume.",
    users: "Nothing yet. The volume fills: then the database stops.",
    look: {
      text: "See whose slot it is. Names that begin with `_cnpg_` are the operator's, for a standby; all others were made by a person or a program.",
      commands: [
        'kubectl -n platform exec forge-db-1 -c postgres -- psql -c "SELECT slot_name, slot_type, database, active, restart_lsn FROM pg_replication_slots"',
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
      ],
    },
    mend: {
      text: "For a slot of the operator, bring its standby back. For another one, start the program that reads it. Only when its owner agrees that it is not needed, drop it: the reader then has to start from a new copy.",
      commands: [
        "kubectl -n platform exec forge-db-1 -c postgres -- psql -c \"SELECT pg_drop_replication_slot('SLOT_NAME')\"",
      ],
    },
    verify: {
      text: "The slot is active, or gone.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "Its reader is down for a known time, and the volume has room.",
  },
});
