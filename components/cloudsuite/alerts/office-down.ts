import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingAvailable } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

export const officeDown = defineAlert<ResolvedSuite>({
  name: "HearthOfficeDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace, office }) => (office ? nothingAvailable(namespace, suiteNames.office) : undefined),
  summary: ({ domain }) => `The office server of ${domain} is not available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom: "No pod of the office server is ready.",
    users:
      "Documents can be downloaded and uploaded, but no editor opens. What somebody typed in an open editor may not be saved.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n team get pods -l app.kubernetes.io/name=office -o wide",
        "kubectl -n team get events --sort-by=.lastTimestamp",
        "kubectl -n team logs -l app.kubernetes.io/name=office --tail=50",
      ],
    },
    mend: {
      text: "`OOMKilled`: raise `resources.office` in the suite's `config.yaml`. A pod that hangs and has no users can be deleted: documents are in the suite, not in it.",
    },
    verify: {
      text: "The pod is ready, and a document opens.",
      commands: ["kubectl -n team rollout status deploy/office --timeout=60s"],
    },
    leave: "You upgrade the suite right now.",
  },
});
