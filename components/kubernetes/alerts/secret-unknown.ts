import { defineAlert } from "../../core/alert.ts";
import type { NamespaceArgs } from "../monitoring.ts";

export const secretUnknown = defineAlert<NamespaceArgs>({
  name: "HearthSecretUnknown",
  severity: "ticket",
  for: "1h",
  expression: ({ namespace, platform }) =>
    platform.secrets?.store && `absent(externalsecret_status_condition{exported_namespace="${namespace}"})`,
  summary: ({ namespace }) => `Nothing says whether the Secrets in ${namespace} are renewed from their store.`,
  metrics: {
    externalsecret_status_condition: "External Secrets 1.3.2: pkg/controllers/externalsecret/esmetrics/esmetrics.go",
  },
  runbook: {
    symptom: "Prometheus knows nothing of the Secrets from the store: External Secrets is not read, or doesn't run.",
    users: "Nothing while the Secrets are there.",
    look: {
      text: "See whether External Secrets runs, and whether it is a target of Prometheus: its chart makes a monitor only if told to.",
      commands: [
        "kubectl get pods -A -l app.kubernetes.io/name=external-secrets",
        "kubectl -n platform get externalsecrets.external-secrets.io",
      ],
    },
    mend: {
      text: "Start External Secrets, or set `serviceMonitor.enabled` of its chart. The monitor must not honour labels: these alerts read `exported_namespace`.",
    },
    verify: {
      text: "The alert ends once Prometheus reads it.",
      commands: ["kubectl -n platform get externalsecrets.external-secrets.io"],
    },
    leave: "You watch the store in another way. Then silence the alert.",
  },
});
