import { defineAlert } from "../../core/alert.ts";
import type { NamespaceArgs } from "../monitoring.ts";

export const certificateUnknown = defineAlert<NamespaceArgs>({
  name: "HearthCertificateUnknown",
  severity: "ticket",
  for: "1h",
  expression: ({ namespace }) => `absent(certmanager_certificate_ready_status{exported_namespace="${namespace}"})`,
  summary: ({ namespace }) => `Nothing says whether the certificates in ${namespace} are valid.`,
  metrics: {
    certmanager_certificate_ready_status: "cert-manager 1.21.2: internal/collectors/certificate_collector.go",
  },
  runbook: {
    symptom:
      "Prometheus knows nothing of the certificates: cert-manager is not read, or doesn't run. Then nothing is renewed either.",
    users: "Nothing yet. Without cert-manager certificates end within weeks.",
    look: {
      text: "See whether cert-manager runs, and whether it is a target of Prometheus: its chart makes a monitor only if told to.",
      commands: [
        "kubectl get pods -A -l app.kubernetes.io/name=cert-manager",
        "kubectl -n platform get certificates.cert-manager.io",
      ],
    },
    mend: {
      text: "Start cert-manager, or set `prometheus.podmonitor.enabled` of its chart. The monitor must not honour labels: these alerts read `exported_namespace`.",
    },
    verify: {
      text: "The alert ends once Prometheus reads it.",
      commands: ["kubectl -n platform get certificates.cert-manager.io"],
    },
    leave: "You watch the certificates from outside. Then silence the alert.",
  },
});
