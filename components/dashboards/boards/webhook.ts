import { webhookNames } from "../../site-webhook/webhook-names.ts";
import { chosen, type Dashboard } from "../dashboard.ts";

const webhookPods = `${chosen},job=~".+/${webhookNames.webhook}"`;

export const webhook: Dashboard = {
  name: "webhook",
  title: "webhook and sites",
  description: "Calls that make a static site sync at once.",
  chooses: { label: "Namespace", metric: "staticsite_sync_total" },
  panels: [
    [
      "Syncs",
      "ops",
      "Calls by outcome. `triggered` and `coalesced` are syncs; `denied`, `error` and `shed` fail.",
      `sum by (outcome) (rate(staticsite_sync_total{${chosen}}[5m]))`,
      "{{outcome}}",
    ],
    [
      "Time of an answer",
      "s",
      "95 of 100 calls were answered in less than this.",
      `histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket{${webhookPods}}[5m])))`,
      "p95",
    ],
    [
      "Calls under way",
      "short",
      "Calls that are being answered.",
      `sum by (pod) (http_requests_in_flight{${webhookPods}})`,
      "{{pod}}",
    ],
    [
      "Requests to the Kubernetes API",
      "reqps",
      "By status; 0 is a request without an answer.",
      `sum by (code) (rate(kube_api_requests_total{${chosen}}[5m]))`,
      "{{code}}",
    ],
  ],
};
