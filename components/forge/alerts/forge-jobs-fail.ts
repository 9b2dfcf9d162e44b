import { defineAlert } from "../../core/alert.ts";
import type { ResolvedForge } from "../defaults.ts";

export const forgeJobsFail = defineAlert<ResolvedForge>({
  name: "HearthForgeJobsFail",
  severity: "ticket",
  for: "15m",
  expression: ({ namespace }) => {
    const rate = (metric: string) => `sum(rate(${metric}{namespace="${namespace}"}[15m]))`;
    return `${rate("worker_jobs_failed_total")} / ${rate("worker_jobs_processed_total")} > 0.2 and ${rate("worker_jobs_failed_total")} > 0.05`;
  },
  summary: () => `{{ $value | humanizePercentage }} of the forge's jobs fail.`,
  metrics: {
    worker_jobs_failed_total: "hearth: components/forge/metric-rules.ts",
    worker_jobs_processed_total: "hearth: components/forge/metric-rules.ts",
  },
  runbook: {
    symptom: "More than a fifth of the forge's jobs fail, and more than three a minute.",
    users: "Some mails, hooks or imports come late or not at all. Failed jobs are tried again for days.",
    look: {
      text: "The log names the class and the error of each failed job.",
      commands: ["kubectl -n platform logs -l app.kubernetes.io/name=forge-jobs --tail=50"],
    },
    mend: {
      text: "One class that fails has one reason: a mail server that refuses, a web hook's host that is gone, a mirror whose password is old. Mend it there.",
    },
    verify: {
      text: "The share falls below a fifth.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=forge-jobs -o wide"],
    },
    leave: "A mail server is down for a known time.",
  },
});
