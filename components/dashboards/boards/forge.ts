import { forgeNames } from "../../forge/forge-names.ts";
import { chosen, type Dashboard } from "../dashboard.ts";

const web = `${chosen},job=~".+/${forgeNames.webservice}"`;
const gitstore = `${chosen},job=~".+/${forgeNames.gitstore}"`;

export const forge: Dashboard = {
  name: "forge",
  title: "forge",
  description: "Web, jobs and git store of the forge.",
  chooses: { label: "Namespace", metric: "worker_queue_size" },
  panels: [
    [
      "Answers",
      "reqps",
      "Answers of the web pods, by status.",
      `sum by (status) (rate(http_requests_total{${web}}[5m]))`,
      "{{status}}",
    ],
    [
      "Share of errors",
      "percentunit",
      "Answers that are errors of the forge itself (5xx). HearthForgeWebErrors fires above 5 %.",
      `sum(rate(http_requests_total{${web},status=~"5.."}[5m])) / sum(rate(http_requests_total{${web}}[5m]))`,
      "errors",
    ],
    [
      "Time of an answer",
      "s",
      "95 of 100 answers took less than this.",
      `histogram_quantile(0.95, sum by (le) (rate(http_request_duration_seconds_bucket{${web}}[5m])))`,
      "p95",
    ],
    [
      "Requests that wait",
      "short",
      "Requests that wait in a web pod for a free worker.",
      `sum by (pod) (puma_queued_connections{${chosen}})`,
      "{{pod}}",
    ],
    [
      "Jobs that wait",
      "short",
      "Jobs in each queue.",
      `max by (queue) (worker_queue_size{${chosen}}) > 0`,
      "{{queue}}",
    ],
    [
      "Jobs done",
      "ops",
      "Jobs that were done, whether or not they failed.",
      `sum(rate(worker_jobs_processed_total{${chosen}}[5m]))`,
      "done",
    ],
    [
      "Jobs that fail",
      "ops",
      "Jobs that failed. Most are tried again.",
      `sum(rate(worker_jobs_failed_total{${chosen}}[5m]))`,
      "failed",
    ],
    [
      "Calls to the git store",
      "ops",
      "Calls by their result.",
      `sum by (grpc_code) (rate(grpc_server_handled_total{${gitstore}}[5m]))`,
      "{{grpc_code}}",
    ],
  ],
};
