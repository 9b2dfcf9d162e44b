import { chosen, type Dashboard } from "../dashboard.ts";

export const hub: Dashboard = {
  name: "hub",
  title: "hub",
  description: "Core, registry, job service and sign-in of the hub.",
  chooses: { label: "Namespace", metric: "harbor_core_http_request_total" },
  panels: [
    [
      "Answers of the core",
      "reqps",
      "Answers of web page, API and registry API, by status.",
      `sum by (code) (rate(harbor_core_http_request_total{${chosen}}[5m]))`,
      "{{code}}",
    ],
    [
      "Requests under way",
      "short",
      "Requests that the core answers right now: large pushes last long.",
      `sum by (pod) (harbor_core_http_inflight_requests{${chosen}})`,
      "{{pod}}",
    ],
    [
      "Answers of the registry",
      "reqps",
      "Answers of the registry, by status. Many 5xx mean that it does not reach its bucket.",
      `sum by (code) (rate(registry_http_requests_total{${chosen}}[5m]))`,
      "{{code}}",
    ],
    [
      "Background tasks",
      "short",
      "Tasks of the last hour by type and result: garbage collection, scans, replication, retention.",
      `sum by (type, status) (increase(harbor_jobservice_task_total{${chosen}}[1h])) > 0`,
      "{{type}} {{status}}",
    ],
    [
      "Sign-ins with tokens of the forge",
      "ops",
      "By outcome. `unavailable` means that forge or core did not answer.",
      `sum by (outcome) (rate(hub_sign_in_total{${chosen}}[5m]))`,
      "{{outcome}}",
    ],
  ],
};
