import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingAvailable } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

/** It has no numbers of its own. */
export const hubPortalDown = defineAlert<ResolvedHub>({
  name: "HearthHubPortalDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace }) => nothingAvailable(namespace, hubNames.portal),
  summary: ({ domain }) => `The web UI of ${domain} is not available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom: "No pod of the hub's web UI is ready.",
    users: "Pages of the hub don't open. Pushes and pulls work.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-portal -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-portal --tail=50",
      ],
    },
    mend: {
      text: "Mend what the events name, such as an image that can't be pulled. A pod that hangs can be deleted.",
      commands: ["kubectl -n platform delete pod -l app.kubernetes.io/name=hub-portal"],
    },
    verify: {
      text: "The pod is ready.",
      commands: ["kubectl -n platform rollout status deploy/hub-portal --timeout=60s"],
    },
    leave: "You upgrade the hub right now.",
  },
});
