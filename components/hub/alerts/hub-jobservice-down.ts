import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

export const hubJobserviceDown = defineAlert<ResolvedHub>({
  name: "HearthHubJobserviceDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace }) => nothingScraped(namespace, hubNames.jobservice),
  summary: () => `The hub's job service does not answer.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus does not read the hub's job service.",
    users: "Images can be pulled and pushed. Scans, garbage collection, retention and replication stand still.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-jobservice -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-jobservice --tail=50",
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
      ],
    },
    mend: {
      text: "Core, database and keystore come first. Don't flush the keystore: the tasks are in it. A pod that hangs can be deleted.",
      commands: ["kubectl -n platform delete pod -l app.kubernetes.io/name=hub-jobservice"],
    },
    verify: {
      text: "All pods are ready.",
      commands: ["kubectl -n platform rollout status deploy/hub-jobservice --timeout=60s"],
    },
    leave: "You restart or upgrade the hub right now.",
  },
});
