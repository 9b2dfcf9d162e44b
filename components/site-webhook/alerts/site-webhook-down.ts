import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedSiteWebhook } from "../defaults.ts";
import { webhookNames } from "../webhook-names.ts";

export const siteWebhookDown = defineAlert<ResolvedSiteWebhook>({
  name: "HearthSiteWebhookDown",
  severity: "ticket",
  for: "10m",
  expression: ({ namespace }) => nothingScraped(namespace, webhookNames.webhook),
  summary: () => `The webhook of the sites does not answer.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus does not read the webhook's pod.",
    users: "A push is published only with the site's next sync by the clock, not at once. Published sites stay up.",
    look: {
      text: "See whether it runs, and what the last events and the log say.",
      commands: [
        "kubectl -n site-webhook get pods -o wide",
        "kubectl -n site-webhook get events --sort-by=.lastTimestamp",
        "kubectl -n site-webhook logs -l app.kubernetes.io/name=site-webhook --tail=50",
      ],
    },
    mend: {
      text: "Mend what the events name: mostly the image can't be pulled. A pod that hangs can be deleted: it holds no data.",
      commands: ["kubectl -n site-webhook delete pod -l app.kubernetes.io/name=site-webhook"],
    },
    verify: {
      text: "The pod is ready.",
      commands: ["kubectl -n site-webhook rollout status deploy/site-webhook --timeout=60s"],
    },
    leave: "Nobody publishes anything now.",
  },
});
