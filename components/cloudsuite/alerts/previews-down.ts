import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingAvailable } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

export const previewsDown = defineAlert<ResolvedSuite>({
  name: "HearthPreviewsDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace, previews }) =>
    previews?.enabled ? nothingAvailable(namespace, suiteNames.previews) : undefined,
  summary: ({ domain }) => `Imaginary of ${domain}, which makes previews, is not available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom: "No pod of Imaginary, which makes the previews of a suite, is ready.",
    users: "New pictures and PDF files have no preview. Those that have one keep it, and the files themselves open.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n team get pods -l app.kubernetes.io/name=previews -o wide",
        "kubectl -n team get events --sort-by=.lastTimestamp",
        "kubectl -n team logs -l app.kubernetes.io/name=previews --tail=50",
      ],
    },
    mend: {
      text: "`OOMKilled`: raise `previews.resources` in the suite's settings. A pod that hangs can be deleted.",
      commands: ["kubectl -n team delete pod -l app.kubernetes.io/name=previews"],
    },
    verify: {
      text: "The pod is ready, and a new picture gets its preview.",
      commands: ["kubectl -n team get pods -l app.kubernetes.io/name=previews"],
    },
    leave: "You upgrade the suite right now.",
  },
});
