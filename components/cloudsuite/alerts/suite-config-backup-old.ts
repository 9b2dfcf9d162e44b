import { defineAlert } from "../../core/alert.ts";
import { lastSuccessOlder, metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

/** A day between two copies, and half a day for a late one. */
const seconds = 36 * 60 * 60;

export const suiteConfigBackupOld = defineAlert<ResolvedSuite>({
  name: "HearthSuiteConfigBackupOld",
  severity: "ticket",
  for: "30m",
  expression: ({ namespace }) => lastSuccessOlder(namespace, suiteNames.configurationBackup, seconds),
  summary: ({ domain }) =>
    `The last copy of the configuration of ${domain} is {{ $value | humanizeDuration }} old, or as old is a suite without one.`,
  metrics: {
    kube_cronjob_status_last_successful_time: metricSources.cronJob,
    kube_cronjob_created: metricSources.cronJob,
  },
  runbook: {
    symptom: "The nightly copy of the suite's `config.php` has not worked for 36 hours, or never yet.",
    users:
      "Nothing now. The file holds the suite's keys: without a copy, neither a restored database nor the files could be used.",
    look: {
      text: "See which runs failed and why.",
      commands: [
        "kubectl -n team get cronjob cloudsuite-config-backup",
        "kubectl -n team get jobs",
        "kubectl -n team logs -l app.kubernetes.io/name=cloudsuite-config-backup --tail=50",
      ],
    },
    mend: {
      text: "An error of the object store: mend its keys, its space or the way to it. A pod that waits for the volume starts once it can be on the node of the web pod. Then make a copy at once.",
      commands: ["kubectl -n team create job --from=cronjob/cloudsuite-config-backup config-backup-now"],
    },
    verify: { text: "The Job is complete.", commands: ["kubectl -n team get jobs"] },
    leave: "A copy runs right now.",
  },
});
