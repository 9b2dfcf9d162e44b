import type { PlannedObject } from "../core/plan.ts";
import { podMonitor, prometheusRule } from "../kubernetes/monitoring.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import { alerts } from "./alerts.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { hubMetadata } from "./metadata.ts";

/** Monitors for the hub's pods, and its alerts; none if the platform is not monitored. The web UI has no numbers. */
export function monitorObjects(args: ResolvedHub): PlannedObject[] {
  const monitors: readonly (readonly [name: string, port: string])[] = [
    ...[hubNames.core, hubNames.registry, hubNames.jobservice].map((name) => [name, "http-metrics"] as const),
    ...(args.forgeTokens ? [[hubNames.signIn, "operations"] as const] : []),
  ];
  return [
    ...monitors.flatMap(([name, port]) =>
      podMonitor(hubMetadata(args, name), selectorLabels(name), { port, path: "/metrics" }, args.platform),
    ),
    ...prometheusRule(hubMetadata(args, hubNames.core, hubNames.alerts), alerts, args),
  ];
}
