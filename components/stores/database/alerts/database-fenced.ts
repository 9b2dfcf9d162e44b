import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

/** A page although a standby could wait: while it is fenced, the numbers that would tell of a primary are the last ones before. (cloudnative-pg pg_collector.go) */
export const databaseFenced = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseFenced",
  severity: "page",
  for: "10m",
  expression: (args) => `max by (namespace, pod) (cnpg_collector_fencing_on{${instances(args)}}) == 1`,
  summary: ({ name }) => `Instance {{ $labels.pod }} of database ${name} is fenced: it answers nobody.`,
  metrics: { cnpg_collector_fencing_on: databaseMetricSources.collector },
  runbook: {
    symptom:
      "An instance is fenced. PostgreSQL is shut down in it, while its pod runs. All its other numbers stand still.",
    users: "A fenced primary is a database that is down, and no failover happens. A fenced standby only weakens it.",
    look: {
      text: "Fencing is an annotation that a person or a tool has set. See which instances it names, and who may know why.",
      commands: [
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db -o jsonpath='{.metadata.annotations}'",
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
      ],
    },
    mend: {
      text: "Ask who fenced it. When the reason is gone, remove the annotation: PostgreSQL starts again at once.",
      commands: ["kubectl -n platform annotate clusters.postgresql.cnpg.io forge-db cnpg.io/fencedInstances-"],
    },
    verify: {
      text: "The cluster is `Cluster in healthy state`.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "Somebody is copying or mending the files of that instance right now.",
  },
});
