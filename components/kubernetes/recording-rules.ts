import type { PlannedObject } from "../core/plan.ts";
import type { PrometheusRule } from "./custom-resources/prometheus-rule.ts";

/** The expression of each recorded metric, by its name. */
export type RecordingRules = Readonly<Record<string, string>>;

/** Metrics by the specification's names, recorded from what the programs give. */
export function recordingRules(metadata: PrometheusRule["metadata"], rules: RecordingRules): PlannedObject {
  const object = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata,
    spec: {
      groups: [{ name: metadata.name, rules: Object.entries(rules).map(([record, expr]) => ({ record, expr })) }],
    },
  } satisfies PrometheusRule;
  return { object };
}
