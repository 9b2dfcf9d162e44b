import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

export const gitstoreDown = defineAlert<ResolvedForge>({
  name: "HearthGitstoreDown",
  severity: "page",
  for: "3m",
  expression: ({ namespace }) => nothingScraped(namespace, forgeNames.gitstore),
  summary: () => `The git store does not answer.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus does not read the git store.",
    users: "No repository can be read or written. Pages that show code fail.",
    look: {
      text: "It is one pod with one volume. See whether it runs, whether the volume is attached and how full it is.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-gitstore -o wide",
        "kubectl -n platform describe pods -l app.kubernetes.io/name=forge-gitstore",
        "kubectl -n platform get persistentvolumeclaims data-forge-gitstore-0",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-gitstore --tail=50",
        "kubectl -n platform exec forge-gitstore-0 -- df -h /home/git/repositories",
      ],
    },
    mend: {
      text: "`OOMKilled`: raise its memory in `hearth:forge.resources`. Volume full: raise `hearth:forge.repositorySize`. `Multi-Attach error`: the old node still holds the volume; wait until the cluster has let go of it, or mend the node. Never delete the volume claim: the repositories are on it.",
    },
    verify: {
      text: "The pod is ready, and a repository opens.",
      commands: ["kubectl -n platform rollout status statefulset/forge-gitstore --timeout=60s"],
    },
    leave: "You restart or upgrade the forge right now.",
  },
});
