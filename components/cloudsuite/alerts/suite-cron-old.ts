import { defineAlert } from "../../core/alert.ts";
import { lastSuccessOlder, metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

const seconds = 60 * 60;

/** Under maintenance the schedule is suspended. */
export const suiteCronOld = defineAlert<ResolvedSuite>({
  name: "HearthSuiteCronOld",
  severity: "ticket",
  for: "15m",
  expression: ({ namespace, maintenance }) =>
    maintenance ? undefined : lastSuccessOlder(namespace, suiteNames.cron, seconds),
  summary: ({ domain }) => `The last background jobs of ${domain} are {{ $value | humanizeDuration }} old.`,
  metrics: {
    kube_cronjob_status_last_successful_time: metricSources.cronJob,
    kube_cronjob_created: metricSources.cronJob,
  },
  runbook: {
    symptom: "Background jobs, which run every five minutes, have not worked for an hour, or never yet.",
    users: "Files can be used. Mails, reminders, previews and the emptying of the trash are late.",
    look: {
      text: "See which runs failed and why.",
      commands: [
        "kubectl -n team get cronjob cloudsuite-cron",
        "kubectl -n team get jobs",
        "kubectl -n team describe cronjob cloudsuite-cron",
        "kubectl -n team logs -l app.kubernetes.io/name=cloudsuite-cron --tail=100",
      ],
    },
    mend: {
      text: "A run that hangs ends by itself after an hour; the next one follows. If a run can't be placed on a node, mend what the events name. If somebody suspended the CronJob, `pulumi up --refresh` starts it again.",
    },
    verify: {
      text: "`LAST SCHEDULE` is minutes ago, and the Job is complete.",
      commands: ["kubectl -n team get cronjob cloudsuite-cron", "kubectl -n team get jobs"],
    },
    leave: "One long job, such as a scan of all files, is running, and ends within the hour.",
  },
});
