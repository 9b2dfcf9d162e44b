import { defineAlert } from "../../core/alert.ts";
import type { ResolvedForge } from "../defaults.ts";

/** Each job pod says the same size. The count of done jobs is absent until a first one is done. */
export const forgeJobsStuck = defineAlert<ResolvedForge>({
  name: "HearthForgeJobsStuck",
  severity: "page",
  for: "15m",
  expression: ({ namespace }) =>
    `sum(max by (queue) (worker_queue_size{namespace="${namespace}"})) > 100 and (sum(rate(worker_jobs_processed_total{namespace="${namespace}"}[15m])) or vector(0)) == 0`,
  summary: () => `{{ $value }} jobs of the forge wait, and none is done.`,
  metrics: {
    worker_queue_size: "hearth: components/forge/configuration/platform-queue-size.rb",
    worker_jobs_processed_total: "hearth: components/forge/metric-rules.ts",
  },
  runbook: {
    symptom: "More than 100 jobs wait, and not one was done in 15 minutes, though the job pods answer.",
    users: "Pages open. Mails, merges, pipelines and imports stand still, and are done later.",
    look: {
      text: "See what the jobs wait for: mostly the database, the git store or the object store.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-jobs --tail=50",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        "kubectl -n platform rollout status statefulset/forge-gitstore --timeout=60s",
      ],
    },
    mend: {
      text: "Mend the store that they wait for. If all stores are well, restart the job pods: running jobs are tried again. Don't flush the keystore: the jobs are in it.",
      commands: ["kubectl -n platform rollout restart deploy/forge-jobs"],
    },
    verify: {
      text: "The number of waiting jobs falls.",
      commands: ["kubectl -n platform rollout status deploy/forge-jobs --timeout=60s"],
    },
    leave: "Never for long: the queue grows with every push.",
  },
});
