import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingAvailable } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

export const whiteboardDown = defineAlert<ResolvedSuite>({
  name: "HearthWhiteboardDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace, whiteboard }) =>
    whiteboard ? nothingAvailable(namespace, suiteNames.whiteboard) : undefined,
  summary: ({ domain }) => `The whiteboard server of ${domain} is not available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom: "No pod of the whiteboard server is ready.",
    users: "Whiteboards don't open. The rest works.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n team get pods -l app.kubernetes.io/name=whiteboard -o wide",
        "kubectl -n team get events --sort-by=.lastTimestamp",
        "kubectl -n team logs -l app.kubernetes.io/name=whiteboard --tail=50",
      ],
    },
    mend: {
      text: "`OOMKilled`: raise `resources.whiteboard` in the suite's `config.yaml`. A pod that hangs can be deleted.",
      commands: ["kubectl -n team delete pod -l app.kubernetes.io/name=whiteboard"],
    },
    verify: {
      text: "The pod is ready, and a whiteboard opens.",
      commands: ["kubectl -n team rollout status deploy/whiteboard --timeout=60s"],
    },
    leave: "You upgrade the suite right now.",
  },
});
