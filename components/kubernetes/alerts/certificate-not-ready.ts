import { defineAlert } from "../../core/alert.ts";
import type { NamespaceArgs } from "../monitoring.ts";

export const certificateNotReady = defineAlert<NamespaceArgs>({
  name: "HearthCertificateNotReady",
  severity: "page",
  for: "30m",
  expression: ({ namespace }) =>
    `max by (name) (certmanager_certificate_ready_status{exported_namespace="${namespace}",condition="True"}) == 0`,
  summary: ({ namespace }) => `Certificate {{ $labels.name }} in ${namespace} is not ready.`,
  metrics: {
    certmanager_certificate_ready_status: "cert-manager 1.21.2: internal/collectors/certificate_collector.go",
  },
  runbook: {
    symptom: "A certificate was not issued, or could not be renewed and is no longer valid.",
    users: "Browsers and clients refuse the hosts of this certificate, at once or soon.",
    look: {
      text: "The conditions and events say what the authority answered.",
      commands: [
        "kubectl -n platform get certificates.cert-manager.io",
        "kubectl -n platform describe certificates.cert-manager.io",
        "kubectl -n platform get certificaterequests.cert-manager.io",
      ],
    },
    mend: {
      text: "Mend what they name: a host whose DNS does not lead here, port 80 that is closed, an issuer whose account is gone, or a limit of the authority that ends by itself. Don't delete the TLS Secret: the old certificate in it may still be valid.",
    },
    verify: {
      text: "The certificate is `True` in the column `READY`.",
      commands: ["kubectl -n platform get certificates.cert-manager.io"],
    },
    leave: "The authority's own limit ends at a known time, and the old certificate is valid until then.",
  },
});
