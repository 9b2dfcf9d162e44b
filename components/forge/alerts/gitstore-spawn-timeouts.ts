import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const gitstoreSpawnTimeouts = defineAlert<ResolvedForge>({
  name: "HearthGitstoreSpawnTimeouts",
  severity: "ticket",
  for: "0m",
  expression: ({ namespace }) =>
    `sum(increase(gitaly_spawn_timeouts_total{${jobLabels(namespace, forgeNames.gitstore)}}[15m])) > 0`,
  summary: () => `The git store could not start git {{ $value | printf "%.0f" }} times in 15 minutes.`,
  metrics: { gitaly_spawn_timeouts_total: "GitLab 18.11: Gitaly, internal/command/spawntoken.go" },
  runbook: {
    symptom: "The git store could not start a git process in time.",
    users: "Some pushes, clones or pages with code fail or are slow.",
    look: {
      text: "Mostly it has too little processor time. See whether it is at its limit.",
      commands: [
        "kubectl -n platform top pods -l app.kubernetes.io/name=forge-gitstore",
        "kubectl -n platform describe pods -l app.kubernetes.io/name=forge-gitstore",
      ],
    },
    mend: {
      text: "Raise the processor's limit of the git store in `hearth:forge.resources`. It restarts then: at a quiet hour.",
    },
    verify: {
      text: "No new one in an hour.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=forge-gitstore -o wide"],
    },
    leave: "It came with one large import that is done.",
  },
});
