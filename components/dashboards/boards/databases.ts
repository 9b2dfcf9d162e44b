import { chosen, type Dashboard } from "../dashboard.ts";

export const databases: Dashboard = {
  name: "databases",
  title: "databases",
  description: "Every database cluster with its pooler.",
  chooses: { label: "Namespace", metric: "cnpg_collector_up" },
  panels: [
    [
      "Instances that answer",
      "short",
      "Instances of each database that answer SQL.",
      `sum by (job) (cnpg_collector_up{${chosen}})`,
      "{{job}}",
    ],
    [
      "Connections in use",
      "percentunit",
      "Share of each instance's connections. HearthDatabaseConnectionsNearLimit fires above 85 %.",
      `sum by (namespace, pod) (cnpg_backends_total{${chosen}}) / on (namespace, pod) cnpg_pg_settings_setting{${chosen},name="max_connections"}`,
      "{{namespace}}/{{pod}}",
    ],
    [
      "Clients that wait at the pooler",
      "short",
      "Clients without a connection yet.",
      `sum by (job, database) (cnpg_pgbouncer_pools_cl_waiting{${chosen}})`,
      "{{job}} {{database}}",
    ],
    [
      "Longest wait at the pooler",
      "s",
      "For how long the first client in the line waits. HearthPoolerClientsWait fires above 5 s.",
      `max by (job, database) (cnpg_pgbouncer_pools_maxwait{${chosen}})`,
      "{{job}} {{database}}",
    ],
    [
      "Transactions",
      "ops",
      "Transactions that were committed.",
      `sum by (job, datname) (rate(cnpg_pg_stat_database_xact_commit{${chosen}}[5m]))`,
      "{{job}} {{datname}}",
    ],
    [
      "Size",
      "bytes",
      "Size of each database.",
      `max by (job, datname) (cnpg_pg_database_size_bytes{${chosen}})`,
      "{{job}} {{datname}}",
    ],
    [
      "Log that standbys lack",
      "bytes",
      "How much of the primary's log each standby has still to replay.",
      `max by (job, application_name) (cnpg_pg_stat_replication_replay_diff_bytes{${chosen}})`,
      "{{job}} {{application_name}}",
    ],
    [
      "Deadlocks",
      "short",
      "Queries within an hour that PostgreSQL ended because they waited for one another.",
      `sum by (job, datname) (increase(cnpg_pg_stat_database_deadlocks{${chosen}}[1h]))`,
      "{{job}} {{datname}}",
    ],
  ],
};
