import { defineAlert } from "../../core/alert.ts";
import { lastSuccessOlder, metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

const seconds = 2 * 60 * 60;

/** Under maintenance the schedule is suspended. */
export const suiteBlockedUsersOld = defineAlert<ResolvedSuite>({
  name: "HearthSuiteBlockedUsersOld",
  severity: "ticket",
  for: "15m",
  expression: ({ namespace, maintenance, signOn }) =>
    maintenance || !signOn?.gitlabToken ? undefined : lastSuccessOlder(namespace, suiteNames.blockedUsers, seconds),
  summary: ({ domain }) =>
    `GitLab last told {{ $value | humanizeDuration }} ago who is blocked, and may no longer use ${domain}.`,
  metrics: {
    kube_cronjob_status_last_successful_time: metricSources.cronJob,
    kube_cronjob_created: metricSources.cronJob,
  },
  runbook: {
    symptom: "The suite asks GitLab every 15 minutes who is blocked or deleted, and has had no answer for two hours.",
    users:
      "Nothing for those who may be there. Somebody who was blocked meanwhile still has open sessions and app passwords.",
    look: {
      text: "The last run says what GitLab answered.",
      commands: [
        "kubectl -n team get cronjobs",
        "kubectl -n team get jobs",
        "kubectl -n team logs -l app.kubernetes.io/name=cloudsuite-blocked-users --tail=20",
      ],
    },
    mend: {
      text: "401: the token has ended. Make a new one in GitLab with the scope `read_user`, and put it into the Secret that `signOn.gitlabToken` names. 403: its user may not list users. No answer: mend the forge, or the way to it.",
    },
    verify: {
      text: "The next run is complete.",
      commands: ["kubectl -n team get jobs"],
    },
    leave: "The forge is under maintenance. If somebody leaves in these hours, disable the account by hand.",
  },
});
