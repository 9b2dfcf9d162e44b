import type { PlannedObject } from "../../core/plan.ts";
import { prometheusRule } from "../../kubernetes/monitoring.ts";
import { alerts } from "./alerts.ts";
import type { ResolvedDatabase } from "./defaults.ts";
import { databaseLabels } from "./labels.ts";

/** What the operator's instances count for each database by default. (cloudnative-pg config/manager/default-monitoring.yaml, `pg_stat_database`) */
const perDatabase = [
  ...["xact_commit", "xact_rollback", "blks_read", "blks_hit"],
  ...["tup_returned", "tup_fetched", "tup_inserted", "tup_updated", "tup_deleted"],
  ...["conflicts", "temp_files", "temp_bytes", "deadlocks", "blk_read_time", "blk_write_time"],
];

/** The specification's metrics of a database, from those of its instances: also of the cluster that a recovery made. And its alerts. */
export function metricRules(args: ResolvedDatabase): PlannedObject[] {
  const instances = `{namespace="${args.namespace}",pod=~"${args.name}-.+"}`;
  return prometheusRule({ name: args.name, namespace: args.namespace, labels: databaseLabels(args) }, alerts, args, {
    db_up: `cnpg_collector_up${instances}`,
    db_replication_lag_seconds: `cnpg_pg_replication_lag${instances}`,
    ...Object.fromEntries(
      perDatabase.map((name) => [`db_stat_database_${name}`, `cnpg_pg_stat_database_${name}${instances}`]),
    ),
  });
}
