import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

/** What is no fault of the caller. */
const codes = ["Internal", "Unavailable", "Unknown", "DataLoss", "DeadlineExceeded", "ResourceExhausted"];

export const gitstoreErrors = defineAlert<ResolvedForge>({
  name: "HearthGitstoreErrors",
  severity: "page",
  for: "10m",
  expression: ({ namespace }) => {
    const calls = jobLabels(namespace, forgeNames.gitstore);
    const failed = `sum(rate(grpc_server_handled_total{${calls},grpc_code=~"${codes.join("|")}"}[5m]))`;
    return `${failed} / sum(rate(grpc_server_handled_total{${calls}}[5m])) > 0.05 and ${failed} > 0.1`;
  },
  summary: () => `{{ $value | humanizePercentage }} of the git store's calls fail.`,
  metrics: {
    grpc_server_handled_total: "GitLab 18.11: Gitaly, go-grpc-middleware providers/prometheus/server_metrics.go",
  },
  runbook: {
    symptom: "More than 5 % of the calls to the git store fail by its own fault, and more than six a minute.",
    users: "Some pushes, clones or pages with code fail.",
    look: {
      text: "The log names the call and the error. See how full volume and memory are.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-gitstore --tail=50",
        "kubectl -n platform describe pods -l app.kubernetes.io/name=forge-gitstore",
        "kubectl -n platform exec forge-gitstore-0 -- df -h /home/git/repositories",
        "kubectl -n platform top pods -l app.kubernetes.io/name=forge-gitstore",
      ],
    },
    mend: {
      text: "Volume full: raise `hearth:forge.repositorySize`. Out of memory: raise the memory in `hearth:forge.resources`. If all errors name one repository, the others are well: back that one up before anybody mends it.",
    },
    verify: {
      text: "The share falls below 5 %.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=forge-gitstore -o wide"],
    },
    leave: "One import of a huge repository fails again and again, and its owner knows.",
  },
});
