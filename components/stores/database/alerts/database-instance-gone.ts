import { defineAlert } from "../../../core/alert.ts";
import type { ResolvedDatabase } from "../defaults.ts";
import { databaseMetricSources, instances } from "../metric-selectors.ts";

export const databaseInstanceGone = defineAlert<ResolvedDatabase>({
  name: "HearthDatabaseInstanceGone",
  severity: "ticket",
  for: "15m",
  expression: (args) =>
    args.instances > 1 ? `count(cnpg_collector_up{${instances(args)}} == 1) < ${args.instances}` : undefined,
  summary: (args) => `Database ${args.name} has {{ $value }} of ${args.instances} instances.`,
  metrics: { cnpg_collector_up: databaseMetricSources.collector },
  runbook: {
    symptom: "Fewer instances answer than the settings ask for.",
    users: "Nothing now. If the one that is left fails, the database is down.",
    look: {
      text: "See which pod is missing or not ready, and why.",
      commands: [
        "kubectl -n platform get pods -l cnpg.io/cluster=forge-db -o wide",
        "kubectl -n platform describe clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
      ],
    },
    mend: {
      text: "Mend what the events name: mostly a node without room or a volume that can't be attached. The operator then starts the pod again, with its old volume. Don't delete the volume claim of the instance that is left.",
    },
    verify: {
      text: "As many instances are ready as there are.",
      commands: ["kubectl -n platform get clusters.postgresql.cnpg.io forge-db"],
    },
    leave: "A node is being drained, and comes back within the hour.",
  },
});
