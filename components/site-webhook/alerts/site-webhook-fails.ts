import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedSiteWebhook } from "../defaults.ts";
import { webhookNames } from "../webhook-names.ts";

export const siteWebhookFails = defineAlert<ResolvedSiteWebhook>({
  name: "HearthSiteWebhookFails",
  severity: "ticket",
  for: "0m",
  expression: ({ namespace }) =>
    `sum by (outcome) (increase(staticsite_sync_total{${jobLabels(namespace, webhookNames.webhook)},outcome=~"error|denied|shed"}[15m])) > 2`,
  summary: () => `{{ $value | printf "%.0f" }} calls of the webhook ended with {{ $labels.outcome }} in 15 minutes.`,
  metrics: { staticsite_sync_total: "hearth: webhook/telemetry.ts" },
  runbook: {
    symptom:
      "More than two calls of the webhook failed in 15 minutes: `error`, the Kubernetes API does not answer; `denied`, a right is missing; `shed`, too many calls at once.",
    users: "A push is published only with the site's next sync by the clock, not at once.",
    look: {
      text: "The log names the reason of each call.",
      commands: [
        "kubectl -n site-webhook logs -l app.kubernetes.io/name=site-webhook --tail=50",
        "kubectl -n site-webhook get pods -o wide",
      ],
    },
    mend: {
      text: "`denied`: a wrong secret at the git hosting provider, or a namespace that `hearth:siteWebhook.namespaces` does not name. `error`: mend the API server, or the network policy that keeps the pod from it. `shed`: see who calls that often.",
    },
    verify: {
      text: "A push publishes its site at once.",
      commands: ["kubectl -n site-webhook logs -l app.kubernetes.io/name=site-webhook --tail=50"],
    },
    leave: "Somebody tries secrets from outside, and each call is refused.",
  },
});
