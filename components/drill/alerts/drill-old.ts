import { defineAlert } from "../../core/alert.ts";
import { lastSuccessOlder, metricSources } from "../../kubernetes/monitoring.ts";
import { drillNames } from "../drill-names.ts";
import type { ResolvedDrill } from "../schema.ts";

/** A Job of a drill is complete only where the drill was good, so that its CronJob's last success is the last good drill. */
export const drillOld = defineAlert<ResolvedDrill>({
  name: "HearthDrillOld",
  severity: "ticket",
  for: "1h",
  expression: ({ namespace, database, maxAgeDays }) =>
    lastSuccessOlder(namespace, drillNames(database.name).drill, maxAgeDays * 24 * 60 * 60),
  summary: ({ database }) =>
    `The last good drill of database ${database.name} is {{ $value | humanizeDuration }} old, or as old is a drill that was never good.`,
  metrics: {
    kube_cronjob_status_last_successful_time: metricSources.cronJob,
    kube_cronjob_created: metricSources.cronJob,
  },
  runbook: {
    symptom:
      "For longer than `hearth:drill.maxAgeDays` no drill has shown that the database comes back from its backups.",
    users: "Nothing now. What was lost today might not come back.",
    look: {
      text: "The result of the last drill says what is wrong with the backups. A newer one that was ended by its deadline left none.",
      commands: [
        "kubectl -n platform get configmaps -l app.kubernetes.io/part-of=drill -o jsonpath='{.items[*].data.line}'",
        "kubectl -n platform describe cronjobs -l app.kubernetes.io/part-of=drill",
        "kubectl -n platform logs -l app.kubernetes.io/part-of=drill --all-containers --tail=100",
      ],
    },
    mend: {
      text: "docs/how-to/drill.md has a line for each finding. Mostly a new base backup is the cure: it begins an archive that is whole. Then make a drill at once.",
      commands: ["./hearth backup --stack prod", "./hearth drill --stack prod --forge"],
    },
    verify: {
      text: "The drill is good. The alert ends with the next scrape.",
      commands: ["kubectl -n platform get cronjobs"],
    },
    leave: "A drill is running now, and takes long.",
  },
});
