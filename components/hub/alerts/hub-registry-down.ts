import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

export const hubRegistryDown = defineAlert<ResolvedHub>({
  name: "HearthHubRegistryDown",
  severity: "page",
  for: "3m",
  expression: ({ namespace }) => nothingScraped(namespace, hubNames.registry),
  summary: () => `No pod of the hub's registry answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no pod of the hub's registry.",
    users: "No image can be pulled or pushed. The web page opens.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-registry -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-registry -c registry --tail=50",
      ],
    },
    mend: {
      text: "The keys, the space or the certificate of the object store is the usual reason: mend what the log names. `OOMKilled`: raise its memory in `hearth:hub.resources`.",
    },
    verify: {
      text: "All pods are ready, and an image can be pulled.",
      commands: ["kubectl -n platform rollout status deploy/hub-registry --timeout=60s"],
    },
    leave: "You restart or upgrade the hub right now.",
  },
});
