import { defineAlert } from "../../core/alert.ts";
import type { NamespaceArgs } from "../monitoring.ts";

/** A condition that is unknown sets neither true nor false anew, so it waits a while. */
export const secretNotSynced = defineAlert<NamespaceArgs>({
  name: "HearthSecretNotSynced",
  severity: "page",
  for: "15m",
  expression: ({ namespace, platform }) =>
    platform.secrets?.store &&
    `max by (name) (externalsecret_status_condition{exported_namespace="${namespace}",condition="Ready",status="False"}) == 1`,
  summary: ({ namespace }) => `Secret {{ $labels.name }} in ${namespace} is not renewed from its store.`,
  metrics: {
    externalsecret_status_condition: "External Secrets 1.3.2: pkg/controllers/externalsecret/esmetrics/esmetrics.go",
  },
  runbook: {
    symptom: "External Secrets can't read a value from the secret store.",
    users:
      "Nothing while the Secret is there: pods use the last value. A value that was changed in the store does not arrive, and a new Secret is not made.",
    look: {
      text: "The events say what the store answered.",
      commands: [
        "kubectl -n platform get externalsecrets.external-secrets.io",
        "kubectl -n platform describe externalsecrets.external-secrets.io",
      ],
    },
    mend: {
      text: "One Secret: its key is missing in the store, or has another name. Every one: the store is down, or its credentials have ended. Mend it there. Don't delete the Secret: pods read it.",
    },
    verify: {
      text: "The column `READY` is `True`.",
      commands: ["kubectl -n platform get externalsecrets.external-secrets.io"],
    },
    leave: "The store is down for a known time, and nobody changes secrets.",
  },
});
