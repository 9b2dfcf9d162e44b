import { defineAlert } from "../../core/alert.ts";
import { lastSuccessOlder, metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

/** A day between two archives, and half a day for a late one. */
const seconds = 36 * 60 * 60;

/** Under maintenance the schedule is suspended. */
export const forgeBackupOld = defineAlert<ResolvedForge>({
  name: "HearthForgeBackupOld",
  severity: "page",
  for: "30m",
  expression: ({ namespace, maintenance }) =>
    maintenance ? undefined : lastSuccessOlder(namespace, forgeNames.backup, seconds),
  summary: () => `The forge's last archive is {{ $value | humanizeDuration }} old, or as old is a forge without one.`,
  metrics: {
    kube_cronjob_status_last_successful_time: metricSources.cronJob,
    kube_cronjob_created: metricSources.cronJob,
  },
  runbook: {
    symptom: "The nightly backup of repositories and database has not worked for 36 hours, or never yet.",
    users:
      "Nothing now. What was pushed since the last archive could not be had back if the git store's volume were lost.",
    look: {
      text: "See which runs failed and why.",
      commands: [
        "kubectl -n platform get cronjob forge-backup",
        "kubectl -n platform get jobs",
        "kubectl -n platform describe cronjob forge-backup",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-backup --tail=100",
        "kubectl -n platform logs forge-gitstore-0 --tail=100",
      ],
    },
    mend: {
      text: "`No space left on device`: raise `hearth:forge.backup.scratchSize`. An error of the object store: mend its keys or its space. If the git store alone can't write there, set `hearth:forge.backup.repositories: archive` until it can. Then make one at once.",
      commands: ["kubectl -n platform create job --from=cronjob/forge-backup forge-backup-now"],
    },
    verify: {
      text: "The Job is complete, and the archive is in the list.",
      commands: [
        "kubectl -n platform get jobs",
        "kubectl -n platform exec deploy/forge-toolbox -- backup-utility --list",
      ],
    },
    leave: "A backup is running now, and takes long.",
  },
});
