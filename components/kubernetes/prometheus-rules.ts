import type { Alert, AlertSeverity } from "../core/alert.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { PrometheusRule } from "./custom-resources/prometheus-rule.ts";

/** The expression of each recorded metric, by its name. */
export type RecordingRules = Readonly<Record<string, string>>;

/** The labels that Alertmanager's usual routes and inhibitions know. (prometheus-operator/kube-prometheus, manifests) */
const severities: Readonly<Record<AlertSeverity, string>> = { page: "critical", ticket: "warning" };

/** Page with the runbook of each alert; its anchor is the alert's name. */
export const alertsPage = "docs/reference/alerts.md";

/**
 * Metrics by the specification's names, recorded from what the programs give, and the alerts of a component.
 * @param args what the alerts follow from
 */
export function prometheusRule<Args extends object>(
  metadata: PrometheusRule["metadata"] & { readonly namespace: string },
  recorded: RecordingRules,
  alerts: readonly Alert<Args>[],
  args: Args,
): PlannedObject {
  const rules = [
    ...Object.entries(recorded).map(([record, expr]) => ({ record, expr })),
    ...alerts.flatMap((alert) => {
      const expr = alert.expression(args);
      return expr === undefined ? [] : [alertingRule(metadata.namespace, alert, expr, alert.summary(args))];
    }),
  ];
  const object = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "PrometheusRule",
    metadata,
    spec: { groups: [{ name: metadata.name, rules }] },
  } satisfies PrometheusRule;
  return { object };
}

/** Labels that Prometheus gives to what it reads through a monitor: the monitor's namespace and name are the job. */
export function jobLabels(namespace: string, monitor: string): string {
  return `namespace="${namespace}",job="${namespace}/${monitor}"`;
}

/** The namespace is a label of the rule: what `absent` finds has none, and routes go by it. */
function alertingRule(namespace: string, { name, severity, for: duration }: Alert, expr: string, summary: string) {
  return {
    alert: name,
    expr,
    for: duration,
    labels: { namespace, severity: severities[severity] },
    annotations: { summary, runbook: `${alertsPage}#${name.toLowerCase()}` },
  };
}
