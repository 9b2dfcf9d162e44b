import { backups } from "./boards/backups.ts";
import { databases } from "./boards/databases.ts";
import { forge } from "./boards/forge.ts";
import { hub } from "./boards/hub.ts";
import { keystores } from "./boards/keystores.ts";
import { platform } from "./boards/platform.ts";
import { suites } from "./boards/suites.ts";
import { webhook } from "./boards/webhook.ts";
import type { Dashboard } from "./dashboard.ts";

/** Every dashboard by its name. */
export const boards = {
  platform,
  forge,
  hub,
  databases,
  keystores,
  suites,
  webhook,
  backups,
} as const satisfies Record<string, Dashboard>;

const kube = "kube-state-metrics 2.18.0: internal/store";
const kubelet = "Kubernetes 1.36.2: pkg/kubelet/metrics/collectors/volume_stats.go";
const redis = "redis_exporter 1.89.0: exporter/exporter.go";
const pooler = "cloudnative-pg 1.30.0: pkg/management/pgbouncer/metricsserver/pools.go";
const queries = "cloudnative-pg 1.30.0: config/manager/default-monitoring.yaml";
const collabora = "Collabora Online: wsd/AdminModel.cpp";

/** Where the names of metrics were read that panels have and no alert has. */
export const panelSources: Readonly<Record<string, string>> = {
  ALERTS: "prometheus 3.16.0: rules/alerting.go",
  kube_deployment_spec_replicas: `${kube}/deployment.go`,
  kube_pod_container_status_restarts_total: `${kube}/pod.go`,
  kube_job_failed: `${kube}/job.go`,
  kubelet_volume_stats_available_bytes: kubelet,
  kubelet_volume_stats_capacity_bytes: kubelet,
  traefik_entrypoint_requests_total: "Traefik 3.7.13: pkg/observability/metrics/prometheus.go",
  http_request_duration_seconds_bucket:
    "GitLab 18.11: lib/gitlab/metrics/requests_rack_middleware.rb; hearth: webhook/telemetry.ts",
  http_requests_in_flight: "hearth: webhook/telemetry.ts",
  kube_api_requests_total: "hearth: webhook/telemetry.ts",
  harbor_core_http_inflight_requests: "Harbor 2.15.2: src/lib/metric/collector.go",
  cnpg_pgbouncer_pools_cl_waiting: pooler,
  cnpg_pg_stat_database_xact_commit: queries,
  cnpg_pg_database_size_bytes: queries,
  cnpg_pg_stat_archiver_failed_count: queries,
  barman_cloud_cloudnative_pg_io_first_recoverability_point:
    "plugin-barman-cloud 0.15.0: internal/cnpgi/instance/metrics.go",
  redis_connected_clients: redis,
  redis_db_keys: redis,
  kit_assigned_count: collabora,
  kit_segfault_count: collabora,
  kit_killed_oom_count: collabora,
  coolwsd_memory_used_bytes: collabora,
};
