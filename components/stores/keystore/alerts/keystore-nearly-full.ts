import { defineAlert } from "../../../core/alert.ts";
import { KeystoreUse } from "../args.ts";
import { keystoreMetricSource, keystoreMetrics } from "../exporter.ts";
import type { ResolvedKeystore } from "../schema.ts";

/** A cache is full in daily work: it evicts what is old. */
export const keystoreNearlyFull = defineAlert<ResolvedKeystore>({
  name: "HearthKeystoreNearlyFull",
  severity: "page",
  for: "10m",
  expression: (args) =>
    args.use === KeystoreUse.queue
      ? `max by (namespace) (redis_memory_used_bytes{${keystoreMetrics(args)}} / (redis_memory_max_bytes{${keystoreMetrics(args)}} > 0)) > 0.9`
      : undefined,
  summary: ({ namespace }) => `The keystore in ${namespace} has used {{ $value | humanizePercentage }} of its memory.`,
  metrics: { redis_memory_used_bytes: keystoreMetricSource, redis_memory_max_bytes: keystoreMetricSource },
  runbook: {
    symptom: "More than 90 % of the memory that the keystore may use is in use.",
    users:
      "Nothing now. At 100 % it refuses writes: nobody can sign in, and jobs are lost to their users with an error.",
    look: {
      text: "See how much is used, and which database has the most keys. Many jobs that wait are the usual cause: look for HearthForgeJobsStuck too.",
      commands: [
        "kubectl -n platform exec keystore-0 -- valkey-cli info memory",
        "kubectl -n platform exec keystore-0 -- valkey-cli info keyspace",
      ],
    },
    mend: {
      text: "If jobs wait, let them be done first. Else raise the memory limit in `hearth:keystore.resources`: keys get 60 % of it. `pulumi up` then starts the keystore anew, which takes a minute. Don't flush a database: it holds jobs and sessions.",
    },
    verify: {
      text: "`used_memory` is well below `maxmemory`.",
      commands: ["kubectl -n platform exec keystore-0 -- valkey-cli info memory"],
    },
    leave: "A large import runs, its jobs become fewer, and the share falls.",
  },
});
