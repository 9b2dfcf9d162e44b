import type { PlannedObject } from "../core/plan.ts";
import type { PodMonitor } from "../kubernetes/custom-resources/pod-monitor.ts";
import { selectorLabels } from "../kubernetes/pod.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { hubMetadata } from "./metadata.ts";

/** Monitors for the hub's pods; none if the platform is not monitored. The web UI has no numbers. */
export function monitorObjects(args: ResolvedHub): PlannedObject[] {
  if (args.platform.monitoring === false) return [];
  const monitors: readonly (readonly [name: string, port: string])[] = [
    ...[hubNames.core, hubNames.registry, hubNames.jobservice].map((name) => [name, "http-metrics"] as const),
    ...(args.forgeTokens ? [[hubNames.signIn, "operations"] as const] : []),
  ];
  return monitors.map(([name, port]) => {
    const object = {
      apiVersion: "monitoring.coreos.com/v1",
      kind: "PodMonitor",
      metadata: hubMetadata(args, name),
      spec: {
        selector: { matchLabels: selectorLabels(name) },
        podMetricsEndpoints: [{ port, path: "/metrics" }],
      },
    } satisfies PodMonitor;
    return { object };
  });
}
