import { defineAlert } from "../../core/alert.ts";
import type { NamespaceArgs } from "../monitoring.ts";

const seconds = 14 * 24 * 60 * 60;

/** 0 is a certificate that was never issued, which HearthCertificateNotReady tells. */
export const certificateExpires = defineAlert<NamespaceArgs>({
  name: "HearthCertificateExpires",
  severity: "ticket",
  for: "1h",
  expression: ({ namespace }) =>
    `min by (name) (certmanager_certificate_expiration_timestamp_seconds{exported_namespace="${namespace}"} > 0) - time() < ${seconds}`,
  summary: ({ namespace }) => `Certificate {{ $labels.name }} in ${namespace} ends in {{ $value | humanizeDuration }}.`,
  metrics: {
    certmanager_certificate_expiration_timestamp_seconds:
      "cert-manager 1.21.2: internal/collectors/certificate_collector.go",
  },
  runbook: {
    symptom: "A certificate ends within 14 days. Its renewal, due 30 days before the end, has not worked.",
    users: "Nothing yet. After the end browsers and clients refuse its hosts.",
    look: {
      text: "The conditions and events say what the authority answered.",
      commands: [
        "kubectl -n platform get certificates.cert-manager.io",
        "kubectl -n platform describe certificates.cert-manager.io",
        "kubectl -n platform get certificaterequests.cert-manager.io",
      ],
    },
    mend: {
      text: "Mend what they name: a host whose DNS does not lead here, port 80 that is closed, or an issuer whose account is gone. cert-manager tries again by itself.",
    },
    verify: {
      text: "The column `READY` is `True`, and the renewal time lies ahead.",
      commands: ["kubectl -n platform get certificates.cert-manager.io -o wide"],
    },
    leave: "The host is given up. Then take it out of the settings.",
  },
});
