import type { PlannedObject } from "../core/plan.ts";
import { podMonitor } from "../kubernetes/monitoring.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgeMetadata } from "./metadata.ts";
import { metricRules } from "./metric-rules.ts";

/** Port with metrics, at /metrics, of each workload that has one. */
const metricsPorts: Readonly<Record<string, string>> = {
  [forgeNames.webservice]: "http-metrics-ws",
  [forgeNames.jobs]: "http-metrics",
  [forgeNames.gitstore]: "http-metrics",
  [forgeNames.shell]: "http-metrics",
  [forgeNames.pages]: "http-metrics",
  [forgeNames.runner]: "http-metrics",
};

/** Monitors for the forge's pods, and its rules; none if the platform is not monitored. */
export function monitorObjects(args: ResolvedForge): PlannedObject[] {
  const absent = new Set([...(args.pages ? [] : [forgeNames.pages]), ...(args.runner ? [] : [forgeNames.runner])]);
  const monitors = Object.entries(metricsPorts)
    .filter(([name]) => !absent.has(name as never))
    .flatMap(([name, port]) =>
      podMonitor(forgeMetadata(args, name), selectorLabels(name), { port, path: "/metrics" }, args.platform),
    );
  return [...monitors, ...metricRules(args)];
}
