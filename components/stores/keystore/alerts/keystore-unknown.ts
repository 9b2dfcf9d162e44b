import { defineAlert } from "../../../core/alert.ts";
import { keystoreMetricSource, keystoreMetrics } from "../exporter.ts";
import type { ResolvedKeystore } from "../schema.ts";

export const keystoreUnknown = defineAlert<ResolvedKeystore>({
  name: "HearthKeystoreUnknown",
  severity: "ticket",
  for: "15m",
  expression: (args) => `absent(redis_up{${keystoreMetrics(args)}})`,
  summary: ({ namespace }) => `Nothing says whether the keystore in ${namespace} works.`,
  metrics: { redis_up: keystoreMetricSource },
  runbook: {
    symptom: "Prometheus reads nothing from the keystore's exporter. No other alert on the keystore can tell anything.",
    users: "Nothing. The keystore may work or not.",
    look: {
      text: "See whether the exporter runs and has its monitor. If both are there, look at Prometheus' targets.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore-exporter -o wide",
        "kubectl -n platform describe pod -l app.kubernetes.io/name=keystore-exporter",
        "kubectl -n platform get podmonitors.monitoring.coreos.com keystore-exporter",
      ],
    },
    mend: {
      text: "`ImagePullBackOff`: the image is not in your mirror. A pod that hangs can be deleted: it keeps nothing. `./hearth doctor` says whether your Prometheus selects the monitor.",
      commands: ["./hearth doctor --stack prod"],
    },
    verify: {
      text: "The pod is ready.",
      commands: ["kubectl -n platform rollout status deploy/keystore-exporter --timeout=60s"],
    },
    leave: "You watch the keystore in another way. Then silence the alert.",
  },
});
