import { defineAlert } from "../../core/alert.ts";
import { metricSources } from "../../kubernetes/monitoring.ts";
import type { ResolvedSuite } from "../schema.ts";

export const suiteUnknown = defineAlert<ResolvedSuite>({
  name: "HearthSuiteUnknown",
  severity: "ticket",
  for: "1h",
  expression: () => `absent(kube_deployment_status_replicas_available{deployment!=""})`,
  summary: ({ domain }) => `Nothing says whether the pods of ${domain} are available.`,
  metrics: { kube_deployment_status_replicas_available: metricSources.deployment },
  runbook: {
    symptom:
      "Prometheus knows nothing of any Deployment: kube-state-metrics is not read. Alerts on suites can't tell anything.",
    users: "Nothing.",
    look: {
      text: "See whether kube-state-metrics runs in the cluster, and is a target of Prometheus.",
      commands: ["kubectl get pods -A -l app.kubernetes.io/name=kube-state-metrics"],
    },
    mend: { text: "Install it: it belongs to kube-prometheus-stack. Or mend its monitor." },
    verify: {
      text: "The alert ends once Prometheus reads it.",
      commands: ["kubectl get pods -A -l app.kubernetes.io/name=kube-state-metrics"],
    },
    leave: "You watch the suite in another way. Then silence the alert.",
  },
});
