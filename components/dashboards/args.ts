// Written by `npm run generate` from schema.ts: change that.
import type { PlatformArgs } from "../core/platform-args.ts";

/** Dashboards for Grafana, whose sidecar finds them by a label. */
export interface DashboardsArgs {
  /** Namespace of the ConfigMaps, created with them. Each stack of a cluster needs its own. @default hearth-dashboards */
  namespace?: string;
  /** Labels of each ConfigMap, by which the sidecar finds it. @default {"grafana_dashboard":"1"} */
  labels?: Record<string, string>;
  /** Which of them. */
  show: string[];
  /** Settings that all components of the stack share. */
  platform: PlatformArgs;
}
