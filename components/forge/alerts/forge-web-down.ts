import { defineAlert } from "../../core/alert.ts";
import { metricSources, nothingScraped } from "../../kubernetes/monitoring.ts";
import type { ResolvedForge } from "../defaults.ts";
import { forgeNames } from "../forge-names.ts";

/** Under maintenance there are no web pods. */
export const forgeWebDown = defineAlert<ResolvedForge>({
  name: "HearthForgeWebDown",
  severity: "page",
  for: "3m",
  expression: ({ namespace, maintenance }) =>
    maintenance ? undefined : nothingScraped(namespace, forgeNames.webservice),
  summary: () => `No web pod of the forge answers.`,
  metrics: { up: metricSources.up },
  runbook: {
    symptom: "Prometheus reads no web pod of the forge.",
    users: "The web pages, the API and git over HTTPS are down.",
    look: {
      text: "See which pods run, and what the last events and the log say. If all pods are ready, Prometheus does not reach them: look at its targets.",
      commands: [
        "kubectl -n platform get pods -l app.kubernetes.io/name=forge-webservice -o wide",
        "kubectl -n platform get events --sort-by=.lastTimestamp",
        "kubectl -n platform logs -l app.kubernetes.io/name=forge-webservice -c webservice --tail=50",
        "kubectl -n platform get clusters.postgresql.cnpg.io forge-db",
        "kubectl -n platform get pods -l cnpg.io/poolerName=forge-db-pooler -o wide",
        "kubectl -n platform get pods -l app.kubernetes.io/name=keystore -o wide",
      ],
    },
    mend: {
      text: "Database, pooler and keystore come first: the web pods start once these answer. After a change of the settings that broke the pods, take the change back and run `pulumi up`. After a change of the version, don't: the database has been migrated.",
    },
    verify: {
      text: "All pods are ready, and a page opens in the browser.",
      commands: ["kubectl -n platform rollout status deploy/forge-webservice --timeout=60s"],
    },
    leave: "You restart or upgrade the forge right now.",
  },
});
