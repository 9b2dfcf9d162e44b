import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

/** A handful of errors in a quiet night wakes nobody. */
export const forgeWebErrors = defineAlert<ResolvedForge>({
  name: "HearthForgeWebErrors",
  severity: "page",
  for: "10m",
  expression: ({ namespace }) => {
    const all = `http_requests_total{${jobLabels(namespace, forgeNames.webservice)}}`;
    const failed = `http_requests_total{${jobLabels(namespace, forgeNames.webservice)},status=~"5.."}`;
    return `sum(rate(${failed}[5m])) / sum(rate(${all}[5m])) > 0.05 and sum(rate(${failed}[5m])) > 0.1`;
  },
  summary: () => `{{ $value | humanizePercentage }} of the forge's answers are errors.`,
  metrics: { http_requests_total: "GitLab 18.11: lib/gitlab/metrics/requests_rack_middleware.rb" },
  runbook: {
    symptom: "More than 5 % of the forge's answers are errors of its own (5xx), and more than six a minute.",
    users: "Pages, pushes and API calls fail now and then, or every one of a kind does.",
    look: {
      text: "The log has a line for each request, with its status and the exception. See whether a store is down.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-webservice -c webservice --tail=50",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
        "kubectl -n platform rollout status statefulset/forge-gitstore --timeout=60s",
      ],
    },
    mend: {
      text: "Mend the store that the exceptions name. If only one feature fails after an upgrade, see whether GitLab's makers know of it. If one pod alone fails, delete that pod: it holds no data.",
    },
    verify: {
      text: "The share falls below 5 %.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=forge-webservice -o wide"],
    },
    leave: "A load test or a scanner asks for broken pages.",
  },
});
