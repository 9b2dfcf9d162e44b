import { boards } from "@hearth-platform/hearth/dashboards/boards";
import type { Dashboard } from "@hearth-platform/hearth/dashboards/dashboard";

/** The dashboards with their panels, for docs/how-to/monitoring.md. */
export function dashboardsTable(): string {
  const all: readonly Dashboard[] = Object.values(boards);
  const rows = all.map(
    ({ title, description, panels }) => `| ${title} | ${description} | ${panels.map(([panel]) => panel).join(", ")} |`,
  );
  return ["| Dashboard | About | Panels |", "|---|---|---|", ...rows].join("\n");
}
