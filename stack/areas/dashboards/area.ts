import { block, optional, without } from "@hearth-platform/hearth/core/schema";
import type { DashboardsArgs } from "@hearth-platform/hearth/dashboards/args";
import { dashboardsComponent } from "@hearth-platform/hearth/dashboards/component";
import { dashboards as dashboardsArgs, defaultNamespace } from "@hearth-platform/hearth/dashboards/schema";
import type { Stack } from "../../stack-settings.ts";
import { type Area, ofSettings, only } from "../area.ts";
import type { Shared } from "../shared.ts";

const settings = {
  dashboards: optional(
    block("Dashboards", "Dashboards for Grafana, whose sidecar finds them by a label.", {
      ...without(dashboardsArgs, "show", "platform"),
    }),
    "none",
  ),
};

/** Dashboards of what the stack has. */
export const dashboardsArea: Area<typeof settings, "Dashboards"> = {
  settings,
  component: dashboardsComponent,
  after: [],
  parts: (stack, shared) => only("dashboards", dashboardsArguments(stack, shared)),
  claims: ofSettings(["dashboards"], ({ dashboards }) =>
    dashboards
      ? [{ path: "hearth:dashboards.namespace", kind: "namespace", value: dashboards.namespace ?? defaultNamespace }]
      : [],
  ),
};

function dashboardsArguments({ settings, suites }: Stack, { platform }: Shared): DashboardsArgs | undefined {
  if (!settings.dashboards) return undefined;
  const { forge, hub, siteWebhook } = settings;
  const hasStores = Boolean(forge || hub) || suites.length > 0;
  return {
    ...settings.dashboards,
    show: [
      "platform",
      ...(forge ? ["forge"] : []),
      ...(hub ? ["hub"] : []),
      ...(hasStores ? ["databases", "keystores", "backups"] : []),
      ...(suites.length > 0 ? ["suites"] : []),
      ...(siteWebhook ? ["webhook"] : []),
    ],
    platform,
  };
}
