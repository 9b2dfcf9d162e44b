import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

export const hubCoreDown = defineAlert<ResolvedHub>({
  name: "HearthHubCoreDown",
  severity: "page",
  for: "3m",
  expression: ({ namespace }) => nothingScraped(namespace, hubNames.core),
  summary: () => `No pod of the hub's core answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no pod of the hub's core.",
    users:
      "No image can be pulled or pushed, and nobody can sign in. Pods in the cluster that need an image from here can't start.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-core -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-core --tail=50",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
      ],
    },
    mend: {
      text: "Database, pooler and keystore come first. After a change of the settings that broke the pods, take the change back and run `pulumi up`. After a change of the version, don't: the database has been migrated.",
    },
    verify: {
      text: "All pods are ready, and the web page opens.",
      commands: ["kubectl -n platform rollout status deploy/hub-core --timeout=60s"],
    },
    leave: "You restart or upgrade the hub right now.",
  },
});
