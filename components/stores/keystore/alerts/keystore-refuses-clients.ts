import { defineAlert } from "../../../core/alert.ts";
import { keystoreMetricSource, keystoreMetrics } from "../exporter.ts";
import type { ResolvedKeystore } from "../schema.ts";

export const keystoreRefusesClients = defineAlert<ResolvedKeystore>({
  name: "HearthKeystoreRefusesClients",
  severity: "ticket",
  for: "0m",
  expression: (args) =>
    `sum by (namespace) (increase(redis_rejected_connections_total{${keystoreMetrics(args)}}[10m])) > 0`,
  summary: ({ namespace }) =>
    `The keystore in ${namespace} has refused about {{ $value | humanize }} connections in 10 minutes.`,
  metrics: { redis_rejected_connections_total: keystoreMetricSource },
  runbook: {
    symptom: "The keystore has as many clients as it takes, 10,000, and refused others.",
    users: "Some requests and jobs fail, and are tried again.",
    look: {
      text: "See how many clients there are, and where from: one that leaks connections has far more than the rest.",
      commands: [
        "kubectl -n platform exec keystore-0 -- valkey-cli info clients",
        "kubectl -n platform exec keystore-0 -- valkey-cli client list",
      ],
    },
    mend: {
      text: "Restart the workload that leaks. Its pods have the addresses of the list.",
      commands: ["kubectl -n platform get pods -o wide"],
    },
    verify: {
      text: "`connected_clients` is far below 10,000.",
      commands: ["kubectl -n platform exec keystore-0 -- valkey-cli info clients"],
    },
    leave: "It was one short peak after a restart of all pods.",
  },
});
