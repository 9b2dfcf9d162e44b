import { chosen, type Dashboard } from "../dashboard.ts";

export const keystores: Dashboard = {
  name: "keystores",
  title: "keystores",
  description: "The keystore of forge and hub, and that of each suite.",
  chooses: { label: "Namespace", metric: "redis_up" },
  panels: [
    ["Answers", "short", "1 while the keystore answers.", `max by (namespace) (redis_up{${chosen}})`, "{{namespace}}"],
    [
      "Memory in use",
      "percentunit",
      "Share of the memory for keys. A suite's cache may be full; that of forge and hub may not.",
      `max by (namespace) (redis_memory_used_bytes{${chosen}} / (redis_memory_max_bytes{${chosen}} > 0))`,
      "{{namespace}}",
    ],
    [
      "Keys thrown away",
      "ops",
      "Keys that were evicted for lack of memory. A keystore with queues has none.",
      `sum by (namespace) (rate(redis_evicted_keys_total{${chosen}}[5m]))`,
      "{{namespace}}",
    ],
    [
      "Clients",
      "short",
      "Clients that are connected.",
      `max by (namespace) (redis_connected_clients{${chosen}})`,
      "{{namespace}}",
    ],
    [
      "Keys",
      "short",
      "Keys of each database that has some.",
      `max by (namespace, db) (redis_db_keys{${chosen}}) > 0`,
      "{{namespace}} {{db}}",
    ],
    [
      "Writing works",
      "short",
      "1 while the last snapshot and the last write to the append-only file worked.",
      `min by (namespace) (redis_rdb_last_bgsave_status{${chosen}} * redis_aof_last_write_status{${chosen}})`,
      "{{namespace}}",
    ],
  ],
};
