import { chosen, type Dashboard } from "../dashboard.ts";

const certificates = 'exported_namespace=~"$namespace"';

export const platform: Dashboard = {
  name: "platform",
  title: "platform",
  description: "What fires, which pods are missing, how full volumes are, and how long certificates last.",
  chooses: { label: "Namespace", metric: "kube_deployment_spec_replicas" },
  panels: [
    [
      "Alerts",
      "short",
      "Alerts of hearth that fire. The page of alerts has what to do for each.",
      `sum by (alertname, namespace) (ALERTS{${chosen},alertname=~"Hearth.+",alertstate="firing"})`,
      "{{alertname}} {{namespace}}",
    ],
    [
      "Missing pods",
      "short",
      "Pods of Deployments that should be ready and are not.",
      `kube_deployment_spec_replicas{${chosen}} - kube_deployment_status_replicas_available{${chosen}} > 0`,
      "{{namespace}}/{{deployment}}",
    ],
    [
      "Restarts",
      "short",
      "Containers that were started anew within an hour.",
      `sum by (namespace, pod) (increase(kube_pod_container_status_restarts_total{${chosen}}[1h])) > 0`,
      "{{namespace}}/{{pod}}",
    ],
    [
      "Failed Jobs",
      "short",
      "Jobs that gave up. A CronJob keeps its last three.",
      `kube_job_failed{${chosen},condition="true"} > 0`,
      "{{namespace}}/{{job_name}}",
    ],
    [
      "Volumes",
      "percentunit",
      "How full each volume is. Volumes that the storage driver does not measure are not here.",
      `1 - kubelet_volume_stats_available_bytes{${chosen}} / kubelet_volume_stats_capacity_bytes{${chosen}}`,
      "{{namespace}}/{{persistentvolumeclaim}}",
    ],
    [
      "Time left of certificates",
      "s",
      "Time until each certificate ends. They are renewed 30 days before.",
      `(certmanager_certificate_expiration_timestamp_seconds{${certificates}} > 0) - time()`,
      "{{exported_namespace}}/{{name}}",
    ],
    [
      "Answers of public hosts",
      "reqps",
      "Answers that Traefik gave, by class of status.",
      'sum by (class) (label_replace(rate(traefik_entrypoint_requests_total{}[5m]), "class", "$1", "code", "(.)..")) > 0',
      "{{class}}xx",
    ],
    [
      "Secrets that are not synced",
      "short",
      "Secrets that External Secrets could not read from the store.",
      `sum by (exported_namespace, name) (externalsecret_status_condition{${certificates},condition="Ready",status="False"}) > 0`,
      "{{exported_namespace}}/{{name}}",
    ],
  ],
};
