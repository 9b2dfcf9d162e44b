import { defineAlert } from "../../../core/alert.ts";
import { keystoreMetricSource, keystoreMetrics } from "../exporter.ts";
import type { ResolvedKeystore } from "../schema.ts";

export const keystoreDown = defineAlert<ResolvedKeystore>({
  name: "HearthKeystoreDown",
  severity: "page",
  for: "2m",
  expression: (args) => `max by (namespace) (redis_up{${keystoreMetrics(args)}}) == 0`,
  summary: ({ namespace }) => `The keystore in ${namespace} does not answer.`,
  metrics: { redis_up: keystoreMetricSource },
  runbook: {
    symptom: "The exporter runs, and the keystore does not answer it.",
    users:
      "Forge and hub: nobody can sign in, jobs stand still. A suite: sessions and locks are gone, pages fail. Written files are safe.",
    look: {
      text: "See whether the pod runs, and what its log and the last events say. A keystore that loads its data is not ready until it has.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
        "kubectl -n platform describe pod keystore-0",
        "kubectl -n platform logs keystore-0 --tail=50",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
      ],
    },
    mend: {
      text: "`OOMKilled`: raise `hearth:keystore.resources`, then `pulumi up`. `Pending`: the events say whether it lacks a node or its volume. `No space left on device`: raise `hearth:keystore.storageSize`. Never delete its volume claim: the queue of jobs is on it.",
    },
    verify: {
      text: "The pod is ready.",
      commands: ["kubectl -n platform rollout status statefulset/keystore --timeout=60s"],
    },
    leave: "Its node is being drained, and the pod starts on another one.",
  },
});
