import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingAvailable } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";
import { suiteNames } from "../suite-names.ts";

export const pushDown = defineAlert<ResolvedSuite>({
  name: "HearthPushDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace, push }) => (push?.enabled ? nothingAvailable(namespace, suiteNames.push) : undefined),
  summary: ({ domain }) => `The push server of ${domain} is not available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom: "No pod of a suite's push server is ready.",
    users:
      "Changes of others show up within minutes instead of at once. The web pods get more requests, since clients ask again.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n team get pods -l app.kubernetes.io/name=push -o wide",
        "kubectl -n team get events --sort-by=.lastTimestamp",
        "kubectl -n team logs -l app.kubernetes.io/name=push --tail=50",
      ],
    },
    mend: {
      text: "It ends when the database or the keystore is away: they come first. `OOMKilled`: raise `push.resources` in the suite's settings. A pod that hangs can be deleted.",
      commands: ["kubectl -n team delete pod -l app.kubernetes.io/name=push"],
    },
    verify: {
      text: "The pod is ready, and Nextcloud finds nothing wrong with it.",
      commands: [
        "kubectl -n team get pods -l app.kubernetes.io/name=push",
        "kubectl -n team exec deploy/cloudsuite -- php occ notify_push:self-test",
      ],
    },
    leave: "You upgrade the suite right now.",
  },
});
