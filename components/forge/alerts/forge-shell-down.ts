import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const forgeShellDown = defineAlert<ResolvedForge>({
  name: "HearthForgeShellDown",
  severity: "page",
  for: "5m",
  expression: ({ namespace }) => nothingScraped(namespace, forgeNames.shell),
  summary: () => `No pod for git over SSH answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no pod that serves git over SSH.",
    users: "Clone, pull and push over SSH fail. Over HTTPS they work.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-shell -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-shell --tail=50",
      ],
    },
    mend: {
      text: "Mend what the events name. A pod that hangs can be deleted: it holds no data.",
      commands: ["kubectl -n platform delete pod -l app.kubernetes.io/name=forge-shell"],
    },
    verify: {
      text: "All pods are ready, and `ssh -T git@` with the forge's host greets you.",
      commands: ["kubectl -n platform rollout status deploy/forge-shell --timeout=60s"],
    },
    leave: "Nobody uses git over SSH here.",
  },
});
