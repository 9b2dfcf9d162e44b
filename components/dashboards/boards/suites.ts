import { suiteNames } from "../../cloudsuite/suite-names.ts";
import { chosen, type Dashboard } from "../dashboard.ts";

const { web, cron, office, whiteboard } = suiteNames;

export const suites: Dashboard = {
  name: "suites",
  title: "suites",
  description: "Web, background jobs and office server of each suite.",
  chooses: { label: "Suite", metric: `kube_deployment_spec_replicas{deployment="${web}"}` },
  panels: [
    [
      "Ready pods",
      "short",
      "Pods of web, office and whiteboard that are ready.",
      `kube_deployment_status_replicas_available{${chosen},deployment=~"${web}|${office}|${whiteboard}"}`,
      "{{namespace}} {{deployment}}",
    ],
    [
      "Age of the last background jobs",
      "s",
      "They run every five minutes. HearthSuiteCronOld fires after an hour.",
      `time() - kube_cronjob_status_last_successful_time{${chosen},cronjob="${cron}"}`,
      "{{namespace}}",
    ],
    [
      "Documents' processes",
      "short",
      "Processes of the office server with an open document. Collabora alone says so.",
      `sum by (namespace) (kit_assigned_count{${chosen}})`,
      "{{namespace}}",
    ],
    [
      "Processes of the office server that crashed",
      "short",
      "Within an hour: each takes one document from those who work on it.",
      `sum by (namespace) (increase(kit_segfault_count{${chosen}}[1h]) + increase(kit_killed_oom_count{${chosen}}[1h]))`,
      "{{namespace}}",
    ],
    [
      "Memory of the office server",
      "bytes",
      "Memory of its main process, without those of the documents.",
      `sum by (namespace) (coolwsd_memory_used_bytes{${chosen}})`,
      "{{namespace}}",
    ],
  ],
};
