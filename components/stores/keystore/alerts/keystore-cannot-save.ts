import { defineAlert } from "../../../core/alert.ts";
import { keystoreMetricSource, keystoreMetrics } from "../exporter.ts";
import type { ResolvedKeystore } from "../schema.ts";

export const keystoreCannotSave = defineAlert<ResolvedKeystore>({
  name: "HearthKeystoreCannotSave",
  severity: "page",
  for: "5m",
  expression: (args) =>
    ["redis_rdb_last_bgsave_status", "redis_aof_last_write_status"]
      .map((metric) => `min by (namespace) (${metric}{${keystoreMetrics(args)}}) == 0`)
      .join(" or "),
  summary: ({ namespace }) => `The keystore in ${namespace} can't write to its volume.`,
  metrics: { redis_rdb_last_bgsave_status: keystoreMetricSource, redis_aof_last_write_status: keystoreMetricSource },
  runbook: {
    symptom: "The last snapshot, or the last write to the append-only file, failed.",
    users:
      "Writes are refused until a save works: nobody can sign in, jobs can't be queued. What was queued before is in memory alone.",
    look: {
      text: "See why the save failed, and how full the volume is.",
      commands: [
        "kubectl -n platform logs keystore-0 --tail=50",
        "kubectl -n platform exec keystore-0 -- valkey-cli info persistence",
        "kubectl -n platform exec keystore-0 -- df -h /data",
      ],
    },
    mend: {
      text: "`No space left on device`: raise `hearth:keystore.storageSize`, then `pulumi up`; the volume grows in place. `Can't save in background: fork`: raise the memory limit in `hearth:keystore.resources` once a save has worked. Don't delete the pod before: what is in memory alone would be lost. Then have it save at once.",
      commands: ["kubectl -n platform exec keystore-0 -- valkey-cli bgsave"],
    },
    verify: {
      text: "`rdb_last_bgsave_status` and `aof_last_write_status` are `ok`.",
      commands: ["kubectl -n platform exec keystore-0 -- valkey-cli info persistence"],
    },
    leave: "Never.",
  },
});
