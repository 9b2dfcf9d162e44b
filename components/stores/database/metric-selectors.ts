import { databaseNames } from "../../catalogue/names.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedDatabase } from "./defaults.ts";
import { clusterName } from "./recovery.ts";

/** Labels of what the database's instances give: of the cluster that is the database now. */
export function instances(args: ResolvedDatabase): string {
  return jobLabels(args.namespace, clusterName(args));
}

/** Labels of what its pooler gives. */
export function poolerPods(args: ResolvedDatabase): string {
  return jobLabels(args.namespace, databaseNames(args.name).pooler);
}

/** Where the names of metrics were read. */
export const databaseMetricSources = {
  collector: "cloudnative-pg 1.30.0: pkg/management/postgres/webserver/metricserver/pg_collector.go",
  queries: "cloudnative-pg 1.30.0: config/manager/default-monitoring.yaml",
  userQueries: "cloudnative-pg 1.30.0: pkg/management/postgres/metrics/collector.go",
  pooler: "cloudnative-pg 1.30.0: pkg/management/pgbouncer/metricsserver/",
  plugin: "plugin-barman-cloud 0.15.0: internal/cnpgi/instance/metrics.go",
} as const;
