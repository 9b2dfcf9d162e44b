import { joinPlans, type Plan } from "../core/plan.ts";
import { planNamespaceWithoutData } from "../kubernetes/namespace.ts";
import { boards } from "./boards.ts";
import { type Dashboard, dashboardJson } from "./dashboard.ts";
import type { ResolvedDashboards } from "./schema.ts";

/** A ConfigMap for each dashboard; nothing if the platform is not monitored. */
export function planDashboards({ namespace, labels, show, platform }: ResolvedDashboards): Plan {
  if (!platform.monitoring) return joinPlans();
  const shown: readonly Dashboard[] = Object.values(boards).filter(({ name }) => show.includes(name));
  return joinPlans({
    objects: [
      ...planNamespaceWithoutData(namespace, platform),
      ...shown.map((dashboard) => ({
        object: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: {
            name: `dashboard-${dashboard.name}`,
            namespace,
            labels: {
              ...labels,
              "app.kubernetes.io/part-of": "dashboards",
              "app.kubernetes.io/managed-by": "hearth",
            },
          },
          // Each file of a folder needs another name, and Grafana's sidecar puts those of all namespaces into one.
          data: { [`hearth-${dashboard.name}.json`]: JSON.stringify(dashboardJson(dashboard)) },
        },
      })),
    ],
  });
}
