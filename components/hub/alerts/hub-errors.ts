import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

/** A handful of errors in a quiet night wakes nobody. */
export const hubErrors = defineAlert<ResolvedHub>({
  name: "HearthHubErrors",
  severity: "page",
  for: "10m",
  expression: ({ namespace }) => {
    const calls = jobLabels(namespace, hubNames.core);
    const failed = `sum(rate(harbor_core_http_request_total{${calls},code=~"5.."}[5m]))`;
    return `${failed} / sum(rate(harbor_core_http_request_total{${calls}}[5m])) > 0.05 and ${failed} > 0.1`;
  },
  summary: () => `{{ $value | humanizePercentage }} of the hub's answers are errors.`,
  metrics: { harbor_core_http_request_total: "Harbor 2.15.2: src/lib/metric/collector.go" },
  runbook: {
    symptom: "More than 5 % of the answers of the hub's core are errors of its own (5xx), and more than six a minute.",
    users: "Pulls, pushes or pages fail now and then, or every one of a kind does.",
    look: {
      text: "The log names the request and the error. See whether a store is down.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-core --tail=50",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-registry -o wide",
      ],
    },
    mend: { text: "Mend the store that the errors name. If one pod alone fails, delete that pod: it holds no data." },
    verify: {
      text: "The share falls below 5 %.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=hub-core -o wide"],
    },
    leave: "A load test or a scanner asks for broken pages.",
  },
});
