import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseDown = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseDown",
  severity: "page",
  for: "3m",
  expression: (args) => `absent(cnpg_collector_up{${instances(args)}} == 1)`,
  summary: ({ name }) => `No instance of database ${name} answers.`,
  metrics: { cnpg_collector_up: databaseMetricSources.collector },
  runbook: {
    symptom: "No instance answers SQL, or Prometheus reaches none.",
    users: "Everything that uses this database stands still: nobody can sign in, read or write.",
    look: {
      text: "See which pods run, what the operator says and whether the volumes are bound. If all pods are ready, Prometheus does not reach them: look at its targets.",
      commands: [
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform describe clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get persistentvolumeclaims -l cnpg.io/cluster=forge-db",
        "kubectl -n platform logs -l cnpg.io/cluster=forge-db -c postgres --tail=50",
      ],
    },
    mend: {
      text: "A pod that is `Pending` needs a node or its volume: the events name which. A log with `No space left on device` needs a larger volume: raise `hearth:database.storageSize`, then `pulumi up`. If the operator's own pods don't run, start them first: it starts the database. Never delete a volume claim, nor files in `pg_wal`.",
      commands: ["kubectl -n platform get events --sort-by=.lastTimestamp"],
    },
    verify: {
      text: "The cluster is `Cluster in healthy state`, with as many instances ready as it has.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "You hibernate the database, or the whole cluster is under maintenance. Silence the alert for that time.",
  },
});
