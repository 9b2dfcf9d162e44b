import { defineAlert } from "../../core/alert.ts";
import { lastSuccessOlder, metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

/** A day between two copies, and half a day for a late one. */
const seconds = 36 * 60 * 60;

export const hubKeyBackupOld = defineAlert<ResolvedHub>({
  name: "HearthHubKeyBackupOld",
  severity: "ticket",
  for: "30m",
  expression: ({ namespace, backups }) =>
    backups === undefined ? undefined : lastSuccessOlder(namespace, hubNames.keyBackup, seconds),
  summary: () =>
    `The last copy of the hub's encryption key is {{ $value | humanizeDuration }} old, or as old is a hub without one.`,
  metrics: {
    kube_cronjob_status_last_successful_time: metricSources.cronJob,
    kube_cronjob_created: metricSources.cronJob,
  },
  runbook: {
    symptom: "The nightly copy of the hub's encryption key has not worked for 36 hours, or never yet.",
    users:
      "Nothing now. Without a copy of the key, a restored database is of little use: passwords of robots and of other registries in it can't be read.",
    look: {
      text: "See which runs failed and why.",
      commands: [
        "kubectl -n platform get cronjob hub-key-backup",
        "kubectl -n platform get jobs",
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-key-backup --tail=50",
      ],
    },
    mend: {
      text: "An error of the object store: mend its keys, its space or the way to it. Then make a copy at once.",
      commands: ["kubectl -n platform create job --from=cronjob/hub-key-backup hub-key-backup-now"],
    },
    verify: { text: "The Job is complete.", commands: ["kubectl -n platform get jobs"] },
    leave: "A copy runs right now.",
  },
});
