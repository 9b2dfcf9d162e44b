import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** Silent where nothing answers at all, which is HearthDatabaseDown. */
export const databaseNoPrimary = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseNoPrimary",
  severity: "page",
  for: "5m",
  expression: (args) =>
    `absent(cnpg_pg_replication_in_recovery{${instances(args)}} == 0) and on () (cnpg_collector_up{${instances(args)}} == 1)`,
  summary: ({ name }) => `Database ${name} has instances that answer, but no primary.`,
  metrics: {
    cnpg_pg_replication_in_recovery: databaseMetricSources.queries,
    cnpg_collector_up: databaseMetricSources.collector,
  },
  runbook: {
    symptom: "Instances answer, but every one is a standby.",
    users: "Nothing can be written. Pages that only read may work, most requests fail.",
    look: {
      text: "See which instance the operator wants as primary, and why it doesn't get there.",
      commands: [
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform describe clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50",
      ],
    },
    mend: {
      text: "The operator promotes a standby by itself once it can: it needs its own pods, and the API server. A failover waits for the standby to replay what it has received. Don't promote by hand beside the operator, and delete no instance: the old primary may hold the last commits.",
      commands: ["kubectl get pods -A -l app.kubernetes.io/name=cloudnative-pg"],
    },
    verify: {
      text: "The column `PRIMARY` names a pod that is ready.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "A recovery of yours is running: the new cluster replays its archive first, and has no primary until then.",
  },
});
