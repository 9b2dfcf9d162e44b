import { defineAlert } from "../../core/alert.ts";
import { jobLabels } from "../../kubernetes/monitoring.ts";
import type { ResolvedHub } from "../defaults.ts";
import { hubNames } from "../hub-names.ts";

/** What is only passed on to core says nothing of this service, and a body that breaks off is the caller's. */
export const hubSignInFails = defineAlert<ResolvedHub>({
  name: "HearthHubSignInFails",
  severity: "page",
  for: "5m",
  expression: ({ namespace, forgeTokens }) => {
    if (!forgeTokens) return undefined;
    const calls = `${jobLabels(namespace, hubNames.signIn)},outcome!="passed"`;
    const failed = `${jobLabels(namespace, hubNames.signIn)},outcome=~"unavailable|error|shed",reason!~"late|broken"`;
    return `sum(rate(hub_sign_in_total{${failed}}[5m])) / sum(rate(hub_sign_in_total{${calls}}[5m])) > 0.1`;
  },
  summary: () =>
    `{{ $value | humanizePercentage }} of the sign-ins with the forge's tokens fail for no fault of the person.`,
  metrics: { hub_sign_in_total: "hearth: webhook/sign-in/telemetry.ts" },
  runbook: {
    symptom: "More than a tenth of the sign-ins with tokens of the forge fail, and not because of a wrong token.",
    users: "`docker login` and pulls with tokens of the forge fail. Robots still work.",
    look: {
      text: "The log names the reason of each: `forge` and `core` don't answer, `administrator` means that the hub refuses the service's own password, `shed` means too many at once.",
      commands: [
        "kubectl -n platform logs -l app.kubernetes.io/name=hub-sign-in --tail=50",
        "kubectl -n platform get pods -l app.kubernetes.io/name=hub-core -o wide",
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-webservice -o wide",
      ],
    },
    mend: {
      text: "Mend what the reason names. For `administrator`: somebody changed the administrator's password at the hub; set it back to the value in its Secret.",
    },
    verify: {
      text: "`docker login` with a token works.",
      commands: ["kubectl -n platform get pods -l app.kubernetes.io/name=hub-sign-in -o wide"],
    },
    leave: "The forge is under maintenance, and users know.",
  },
});
