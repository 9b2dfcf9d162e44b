import { labels } from "../core/object-rules.ts";
import { platform } from "../core/platform-schema.ts";
import type { Resolved } from "../core/resolve.ts";
import { as, block, defaultsTo, list, oneOf, text, textMap } from "../core/schema.ts";
import { namespaceName } from "../core/value-rules.ts";
import { boards } from "./boards.ts";

/** Namespace of the dashboards when none is named. */
export const defaultNamespace = "hearth-dashboards";

export const dashboards = block("DashboardsArgs", "Dashboards for Grafana, whose sidecar finds them by a label.", {
  namespace: defaultsTo(
    text("Namespace of the ConfigMaps, created with them. Each stack of a cluster needs its own.", {
      rule: namespaceName,
    }),
    defaultNamespace,
  ),
  labels: defaultsTo(textMap("Labels of each ConfigMap, by which the sidecar finds it.", { rule: labels }), {
    grafana_dashboard: "1",
  }),
  show: list(oneOf(Object.keys(boards) as [string, ...string[]], "A dashboard."), "Which of them."),
  platform: as(platform, "Settings that all components of the stack share."),
});

/** The arguments of the dashboards with their defaults. */
export interface ResolvedDashboards extends Resolved<typeof dashboards> {}
