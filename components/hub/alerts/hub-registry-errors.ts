import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

export const hubRegistryErrors = defineAlert<ResolvedHub>({
  name: "HearthHubRegistryErrors",
  severity: "page",
  for: "10m",
  expression: ({ namespace }) => {
    const calls = jobLabels(namespace, hubNames.registry);
    const failed = `sum(rate(registry_http_requests_total{${calls},code=~"5.."}[5m]))`;
    return `${failed} / sum(rate(registry_http_requests_total{${calls}}[5m])) > 0.05 and ${failed} > 0.1`;
  },
  summary: () => `{{ $value | humanizePercentage }} of the registry's answers are errors.`,
  metrics: {
    registry_http_requests_total: "distribution 2.8.3, which Harbor 2.15.2 builds on: registry/handlers/app.go",
  },
  runbook: {
    symptom: "More than 5 % of the registry's answers are errors of its own (5xx), and more than six a minute.",
    users: "Layers of images can't be read or written: pulls and pushes break off.",
    look: {
      text: "The log names what the object store answered.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-registry -c registry --tail=50",
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-registry -o wide",
      ],
    },
    mend: {
      text: "The keys, the space or the certificate of the object store is the usual reason: mend what the log names. If the store is slow, wait and let clients try again.",
    },
    verify: {
      text: "The share falls below 5 %, and an image can be pulled and pushed.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=hub-registry -o wide"],
    },
    leave: "The object store is down for a known time, and you have told users.",
  },
});
