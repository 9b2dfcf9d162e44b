import type { Alert, AlertSeverity } from "../core/alert.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { PlatformArgs } from "../core/platform-args.ts";
import type { ResolvedStorePlatform } from "../core/platform-schema.ts";
import type { PodMonitor } from "./custom-resources/pod-monitor.ts";
import type { PrometheusRule } from "./custom-resources/prometheus-rule.ts";

/** The expression of each recorded metric, by its name. */
export type RecordingRules = Readonly<Record<string, string>>;

/** What alerts of a whole namespace read. */
export interface NamespaceArgs {
  readonly namespace: string;
  readonly platform: Pick<PlatformArgs, "secrets">;
}

/** Where, and how, a pod is read. */
export type MetricsEndpoint = Pick<
  NonNullable<PodMonitor["spec"]["podMetricsEndpoints"]>[number],
  "path" | "interval" | "basicAuth" | "metricRelabelings"
> & { readonly port: string };

type Metadata = NonNullable<PodMonitor["metadata"]> & { readonly namespace: string };

/** The labels that Alertmanager's usual routes and inhibitions know. (prometheus-operator/kube-prometheus, manifests) */
const severities: Readonly<Record<AlertSeverity, string>> = { page: "critical", ticket: "warning" };

/** Page with the runbook of each alert; its anchor is the alert's name. */
export const alertsPage = "docs/reference/alerts.md";

/** Where the names of metrics were read that no component gives itself. */
export const metricSources = {
  up: "prometheus 3.16.0: scrape/scrape.go",
  deployment: "kube-state-metrics 2.18.0: internal/store/deployment.go",
  cronJob: "kube-state-metrics 2.18.0: internal/store/cronjob.go",
} as const;

/** A monitor of the pods with these labels; nothing if the platform is not monitored. */
export function podMonitor(
  metadata: Metadata,
  matchLabels: Readonly<Record<string, string>>,
  endpoint: MetricsEndpoint | MetricsEndpoint[],
  platform: ResolvedStorePlatform,
  /** Form of an answer that names none. @default such an answer is not read */
  fallbackScrapeProtocol?: "PrometheusText0.0.4",
): PlannedObject[] {
  const spec = {
    selector: { matchLabels },
    podMetricsEndpoints: [endpoint].flat(),
    ...(fallbackScrapeProtocol && { fallbackScrapeProtocol }),
  };
  return monitored(
    { apiVersion: "monitoring.coreos.com/v1", kind: "PodMonitor", metadata, spec } satisfies PodMonitor,
    platform,
  );
}

/**
 * The alerts of a component, and metrics by the specification's names, recorded from what the programs give; nothing if the platform
 * is not monitored.
 * @param args what the alerts follow from
 */
export function prometheusRule<Args extends { readonly platform: ResolvedStorePlatform }>(
  metadata: Metadata & { readonly name: string },
  alerts: readonly Alert<NoInfer<Args>>[],
  args: Args,
  recorded: RecordingRules = {},
): PlannedObject[] {
  const rules = [
    ...Object.entries(recorded).map(([record, expr]) => ({ record, expr })),
    ...alerts.flatMap((alert) => {
      const expr = alert.expression(args);
      return expr === undefined ? [] : [alertingRule(metadata.namespace, alert, expr, alert.summary(args))];
    }),
  ];
  const spec = { groups: [{ name: metadata.name, rules }] };
  return monitored(
    { apiVersion: "monitoring.coreos.com/v1", kind: "PrometheusRule", metadata, spec } satisfies PrometheusRule,
    args.platform,
  );
}

/** With the labels by which a Prometheus selects it. */
function monitored(object: PodMonitor | PrometheusRule, platform: ResolvedStorePlatform): PlannedObject[] {
  if (!platform.monitoring) return [];
  const labels = { ...platform.monitoringLabels, ...object.metadata?.labels };
  return [{ object: { ...object, metadata: { ...object.metadata, labels } } as PlannedObject["object"] }];
}

/** Labels that Prometheus gives to what it reads through a monitor: the monitor's namespace and name are the job. */
export function jobLabels(namespace: string, monitor: string): string {
  return `namespace="${namespace}",job="${namespace}/${monitor}"`;
}

/** Finds that no pod of a monitor is read. */
export function nothingScraped(namespace: string, monitor: string): string {
  return `absent(up{${jobLabels(namespace, monitor)}} == 1)`;
}

/** Finds that no pod of a Deployment is available; silent where nobody measures Deployments at all. */
export function nothingAvailable(namespace: string, deployment: string): string {
  const metric = "kube_deployment_status_replicas_available";
  return `absent(${metric}{namespace="${namespace}",deployment="${deployment}"} > 0) and on () count(${metric}{})`;
}

/** The age in seconds of a CronJob's last success where it is over `seconds`, or of the CronJob where it never had one. */
export function lastSuccessOlder(namespace: string, cronJob: string, seconds: number): string {
  const age = (metric: string) =>
    `max by (cronjob) (time() - ${metric}{namespace="${namespace}",cronjob="${cronJob}"})`;
  return `(${age("kube_cronjob_status_last_successful_time")} or ${age("kube_cronjob_created")}) > ${seconds}`;
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
