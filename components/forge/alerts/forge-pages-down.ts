import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const forgePagesDown = defineAlert<ResolvedForge>({
  name: "HearthForgePagesDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace, pages }) => (pages ? nothingScraped(namespace, forgeNames.pages) : undefined),
  summary: () => `No pod of the forge's pages answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no pod that serves the forge's pages.",
    users: "Sites that the forge publishes don't open. The forge itself works.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-pages -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-pages --tail=50",
      ],
    },
    mend: {
      text: "Mend what the events name. A pod that hangs can be deleted: it holds no data.",
      commands: ["kubectl -n platform delete pod -l app.kubernetes.io/name=forge-pages"],
    },
    verify: {
      text: "All pods are ready, and a site opens.",
      commands: ["kubectl -n platform rollout status deploy/forge-pages --timeout=60s"],
    },
    leave: "You restart it right now.",
  },
});
