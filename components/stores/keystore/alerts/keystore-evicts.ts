import { defineAlert } from "../../../core/alert.ts";
import { KeystoreUse } from "../args.ts";
import { keystoreMetricSource, keystoreMetrics } from "../exporter.ts";
import type { ResolvedKeystore } from "../schema.ts";

/** A queue refuses writes and evicts nothing, unless somebody changed its policy by hand. */
export const keystoreEvicts = defineAlert<ResolvedKeystore>({
  name: "HearthKeystoreEvicts",
  severity: "page",
  for: "0m",
  expression: (args) =>
    args.use === KeystoreUse.queue
      ? `sum by (namespace) (increase(redis_evicted_keys_total{${keystoreMetrics(args)}}[15m])) > 0`
      : undefined,
  summary: ({ namespace }) =>
    `The keystore in ${namespace} has thrown away about {{ $value | humanize }} keys in 15 minutes.`,
  metrics: { redis_evicted_keys_total: keystoreMetricSource },
  runbook: {
    symptom: "A keystore with queues threw keys away for lack of memory. Its configuration forbids that.",
    users: "Jobs and sessions vanish without an error: mails are not sent, merges hang, people are signed out.",
    look: {
      text: "See which policy it has. `noeviction` is ours; another one was set by hand.",
      commands: [
        "kubectl -n platform exec keystore-0 -- valkey-cli config get maxmemory-policy",
        "kubectl -n platform exec keystore-0 -- valkey-cli info memory",
      ],
    },
    mend: {
      text: "Set the policy back, and raise the memory limit in `hearth:keystore.resources`. Lost jobs do not come back: people have to try again.",
      commands: ["kubectl -n platform exec keystore-0 -- valkey-cli config set maxmemory-policy noeviction"],
    },
    verify: {
      text: "`evicted_keys` no longer grows.",
      commands: ["kubectl -n platform exec keystore-0 -- valkey-cli info stats"],
    },
    leave: "Never.",
  },
});
