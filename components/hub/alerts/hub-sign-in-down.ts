import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

export const hubSignInDown = defineAlert<ResolvedHub>({
  name: "HearthHubSignInDown",
  severity: "page",
  for: "5m",
  expression: ({ namespace, forgeTokens }) => (forgeTokens ? nothingScraped(namespace, hubNames.signIn) : undefined),
  summary: () => `No pod that signs in with the forge's tokens answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no pod of the service that signs in with tokens of the forge.",
    users: "`docker login` fails for everybody, also for robots: their sign-in goes through these pods.",
    look: {
      text: "See which pods run, and what the last events and the log say.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-sign-in -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-sign-in --tail=50",
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-core -o wide",
      ],
    },
    mend: {
      text: "The hub's core comes first. If the pods are not ready, `/readyz` says why in the events: mostly the administrator's password can't be read. A pod that hangs can be deleted: it holds no data.",
      commands: ["kubectl -n platform delete pod -l app.kubernetes.io/name=hub-sign-in"],
    },
    verify: {
      text: "All pods are ready, and `docker login` works.",
      commands: ["kubectl -n platform rollout status deploy/hub-sign-in --timeout=60s"],
    },
    leave: "You restart or upgrade the hub right now.",
  },
});
