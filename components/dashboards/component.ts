import { judged } from "../core/arguments.ts";
import { defineComponent } from "../core/component.ts";
import { planDashboards } from "./plan.ts";
import { dashboards } from "./schema.ts";

/** Dashboards for Grafana, as ConfigMaps. */
export const dashboardsComponent = defineComponent({
  name: "Dashboards",
  schema: dashboards,
  rules: judged(dashboards, []),
  stages: (args) => [[{ plan: planDashboards(args) }]],
  outputs: () => ({}),
});
