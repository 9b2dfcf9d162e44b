import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingAvailable } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

export const suiteDown = defineAlert<ResolvedSuite>({
  name: "HearthSuiteDown",
  severity: "page",
  for: "5m",
  expression: ({ namespace }) => nothingAvailable(namespace, suiteNames.web),
  summary: ({ domain }) => `No web pod of ${domain} is available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom: "No web pod of the suite is ready.",
    users: "Nobody reaches files, calendars or talks. Desktop clients wait and sync later.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n team get pods -l app.kubernetes.io/name=cloudsuite -o wide",
        "kubectl -n team get events --sort-by=.lastTimestamp",
        "kubectl -n team logs -l app.kubernetes.io/name=cloudsuite --tail=50",
        "kubectl -n team get clusters.postgresql.cnpg.io cloudsuite-db",
        "kubectl -n team get pods -l cnpg.io/poolerName=cloudsuite-db-pooler",
        "kubectl -n team get persistentvolumeclaims",
      ],
    },
    mend: {
      text: "Database, pooler and keystore come first. During an upgrade of the suite the first start migrates, which can take long: let it end. Never delete a volume claim.",
    },
    verify: {
      text: "All pods are ready, and the page opens.",
      commands: ["kubectl -n team rollout status deploy/cloudsuite --timeout=60s"],
    },
    leave: "You upgrade the suite right now, and the log shows that it works.",
  },
});
