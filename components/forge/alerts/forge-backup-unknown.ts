import { defineAlert } from "../../core/alert.ts";
import { metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const forgeBackupUnknown = defineAlert<ResolvedForge>({
  name: "HearthForgeBackupUnknown",
  severity: "ticket",
  for: "1h",
  expression: ({ namespace }) =>
    `absent(kube_cronjob_created{namespace="${namespace}",cronjob="${forgeNames.backup}"})`,
  summary: () => `Nothing says whether the forge's archives work.`,
  metrics: { kube_cronjob_created: metricSources.cronJob },
  runbook: {
    symptom:
      "Prometheus knows nothing of the CronJob that archives the forge: it is gone, or kube-state-metrics is not read.",
    users: "Nothing. Archives may work or not.",
    look: {
      text: "See whether the CronJob is there. Then see whether kube-state-metrics runs in the cluster and is a target of Prometheus.",
      commands: [
        "kubectl -n platform get cronjob forge-backup",
        "kubectl get pods -A -l app.kubernetes.io/name=kube-state-metrics",
      ],
    },
    mend: {
      text: "If the CronJob is gone, `pulumi up --refresh` makes it again. If kube-state-metrics is not there, install it: it belongs to kube-prometheus-stack.",
    },
    verify: {
      text: "The alert ends once Prometheus reads it.",
      commands: ["kubectl -n platform get cronjob forge-backup"],
    },
    leave: "You watch the archives in another way. Then silence the alert.",
  },
});
