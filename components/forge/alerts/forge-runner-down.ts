import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const forgeRunnerDown = defineAlert<ResolvedForge>({
  name: "HearthForgeRunnerDown",
  severity: "ticket",
  for: "15m",
  expression: ({ namespace, runner, maintenance }) =>
    runner && !maintenance ? nothingScraped(namespace, forgeNames.runner) : undefined,
  summary: () => `The forge's runner does not answer.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus does not read the runner's manager.",
    users: "Pipelines wait. Those that already run go on in their own pods.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-runner -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-runner --tail=50",
      ],
    },
    mend: {
      text: "`403` in the log: the forge does not know its token any more; run `pulumi up`, which registers it. A pod that hangs can be deleted: it holds no data.",
      commands: ["kubectl -n platform delete pod -l app.kubernetes.io/name=forge-runner"],
    },
    verify: {
      text: "A pipeline runs.",
      commands: ["kubectl -n platform rollout status deploy/forge-runner --timeout=60s"],
    },
    leave: "Nobody works, and nothing is deployed by pipelines.",
  },
});
