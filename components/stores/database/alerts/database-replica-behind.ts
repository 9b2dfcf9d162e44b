import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** Bytes of log: seconds of lag grow on an idle database, too. (cloudnative-pg 2003) */
const bytes = 256 * 2 ** 20;

export const databaseReplicaBehind = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseReplicaBehind",
  severity: "ticket",
  for: "10m",
  expression: (args) =>
    args.instances > 1
      ? `max by (namespace, job, application_name) (cnpg_pg_stat_replication_replay_diff_bytes{${instances(args)}}) > ${bytes}`
      : undefined,
  summary: ({ name }) =>
    `Standby {{ $labels.application_name }} of database ${name} is {{ $value | humanize1024 }}B of log behind.`,
  metrics: { cnpg_pg_stat_replication_replay_diff_bytes: databaseMetricSources.queries },
  runbook: {
    symptom: "A standby has more than 256 MiB of the primary's log still to replay.",
    users: "Nothing now. A failover takes longer, as the standby replays first.",
    look: {
      text: "See whether the standby has the processor, disk and network that the primary has, and whether a bulk load is running.",
      commands: [
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform top pods -l cnpg.io/cluster=forge-db",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50",
      ],
    },
    mend: {
      text: "Wait for a bulk load to end. If the standby is slow all day, give both more with `hearth:database.resources`, or move it off a busy node.",
    },
    verify: {
      text: "The number in the alert falls.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "A migration, an import or a restore is running.",
  },
});
