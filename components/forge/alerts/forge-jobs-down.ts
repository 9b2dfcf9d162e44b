import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

/** Under maintenance there are no job pods. */
export const forgeJobsDown = defineAlert<ResolvedForge>({
  name: "HearthForgeJobsDown",
  severity: "page",
  for: "10m",
  expression: ({ namespace, maintenance }) => (maintenance ? undefined : nothingScraped(namespace, forgeNames.jobs)),
  summary: () => `No job pod of the forge answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no job pod of the forge.",
    users: "Pages open. Mails, merges, pipelines and imports stand still, and are done later: the keystore keeps them.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-jobs -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-jobs --tail=50",
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
      ],
    },
    mend: {
      text: "Database and keystore come first. If the pod was killed for its memory (`OOMKilled`), raise the memory of the jobs in `hearth:forge.resources`. Don't flush the keystore: the jobs are in it.",
    },
    verify: {
      text: "All pods are ready, and the number of waiting jobs falls.",
      commands: ["kubectl -n platform rollout status deploy/forge-jobs --timeout=60s"],
    },
    leave: "You restart or upgrade the forge right now.",
  },
});
