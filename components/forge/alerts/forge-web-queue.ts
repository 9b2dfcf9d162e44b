import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const forgeWebQueue = defineAlert<ResolvedForge>({
  name: "HearthForgeWebQueue",
  severity: "ticket",
  for: "5m",
  expression: ({ namespace }) =>
    `max by (namespace, pod) (puma_queued_connections{${jobLabels(namespace, forgeNames.webservice)}}) > 5`,
  summary: () => `{{ $value }} requests wait for a worker in {{ $labels.pod }}.`,
  metrics: { puma_queued_connections: "GitLab 18.11: doc/administration/monitoring/prometheus/gitlab_metrics.md" },
  runbook: {
    symptom: "More than five requests wait in a web pod until a worker is free.",
    users: "The forge is slow for everybody.",
    look: {
      text: "See whether the pods are at their limits, and whether the database is slow.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-webservice -o wide",
        "kubectl -n platform top pods -l app.kubernetes.io/name=forge-webservice",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
      ],
    },
    mend: {
      text: "If the pods are at their processor's limit, raise `hearth:forge.replicas` or `hearth:forge.resources`. If the workers wait for database or git store, mend that: more workers make it worse.",
    },
    verify: {
      text: "Nobody waits.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=forge-webservice -o wide"],
    },
    leave: "A short peak, such as many pipelines that begin at the hour.",
  },
});
