import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, poolerPods } from "../metric-selectors.ts";

/** `cnpg_pgbouncer_up` would say so, but no version of the operator gives it. (cloudnative-pg pgbouncer_collector.go) */
export const poolerDown = defineAlert<ResolvedDatabase>({
  name: "HearthPoolerDown",
  severity: "page",
  for: "3m",
  expression: (args) => `absent(cnpg_pgbouncer_last_collection_error{${poolerPods(args)}} == 0)`,
  summary: ({ name }) => `No pooler of database ${name} answers.`,
  metrics: { cnpg_pgbouncer_last_collection_error: databaseMetricSources.pooler },
  runbook: {
    symptom: "No pooler pod answers, or Prometheus reaches none.",
    users: "Every application has lost its database, though the database itself may be well.",
    look: {
      text: "See which pods run, and what the operator says.",
      commands: [
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        "kubectl -n platform describe poolers.postgresql.cnpg.io forge-db-pooler",
        "kubectl -n platform logs -l cnpg.io/poolerName=forge-db-pooler --tail=50",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
      ],
    },
    mend: {
      text: "A pooler waits for its database: mend that first. A pod that is `Pending` needs a node. A pod that hangs can be deleted: it holds no data.",
      commands: ["kubectl -n platform delete pod -l cnpg.io/poolerName=forge-db-pooler"],
    },
    verify: {
      text: "All pods are ready, and applications sign in.",
      commands: ["kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide"],
    },
    leave: "A maintenance that you have told users of.",
  },
});
