import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

/** Harbor's count of a type begins with 1, so Prometheus does not see the first failure as an increase. */
export const hubTasksFail = defineAlert<ResolvedHub>({
  name: "HearthHubTasksFail",
  severity: "ticket",
  for: "0m",
  expression: ({ namespace }) =>
    `sum by (type) (increase(harbor_jobservice_task_total{${jobLabels(namespace, hubNames.jobservice)},status="fail"}[1h])) > 3`,
  summary: () => `{{ $value | printf "%.0f" }} tasks of type {{ $labels.type }} failed within an hour.`,
  metrics: { harbor_jobservice_task_total: "Harbor 2.15.2: src/lib/metric/jobservice.go" },
  runbook: {
    symptom: "More than three background tasks of one type failed within an hour.",
    users:
      "Images can be pulled and pushed. With GARBAGE_COLLECTION the bucket grows, with REPLICATION the copy is old.",
    look: {
      text: "The web page shows each task with its log, under *Administration*. The pod's log has the same errors.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-jobservice --tail=50",
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-jobservice -o wide",
      ],
    },
    mend: {
      text: "Mend what the task's log names: mostly the other registry, its password, or the object store. Then run the task again from the page.",
    },
    verify: {
      text: "The task succeeds.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=hub-jobservice -o wide"],
    },
    leave: "The other registry is down for a known time.",
  },
});
