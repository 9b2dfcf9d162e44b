import { defineAlert } from "../../core/alert.ts";
import { metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

export const hubKeyBackupUnknown = defineAlert<ResolvedHub>({
  name: "HearthHubKeyBackupUnknown",
  severity: "ticket",
  for: "1h",
  expression: ({ namespace, backups }) =>
    backups === undefined
      ? undefined
      : `absent(kube_cronjob_created{namespace="${namespace}",cronjob="${hubNames.keyBackup}"})`,
  summary: () => `Nothing says whether the copies of the hub's encryption key work.`,
  metrics: { kube_cronjob_created: metricSources.cronJob },
  runbook: {
    symptom:
      "Prometheus knows nothing of the CronJob that copies the hub's encryption key: it is gone, or kube-state-metrics is not read.",
    users: "Nothing. Copies may work or not.",
    look: {
      text: "See whether the CronJob is there. Then see whether kube-state-metrics runs in the cluster and is a target of Prometheus.",
      commands: [
        "kubectl -n platform get cronjob hub-key-backup",
        "kubectl get pods -A -l app.kubernetes.io/name=kube-state-metrics",
      ],
    },
    mend: {
      text: "If the CronJob is gone, `pulumi up --refresh` makes it again. If kube-state-metrics is not there, install it: it belongs to kube-prometheus-stack.",
    },
    verify: {
      text: "The alert ends once Prometheus reads it.",
      commands: ["kubectl -n platform get cronjob hub-key-backup"],
    },
    leave: "You watch the copies in another way. Then silence the alert.",
  },
});
