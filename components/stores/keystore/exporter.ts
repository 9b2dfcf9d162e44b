import { repositories } from "../../catalogue/images.ts";
import { names } from "../../catalogue/names.ts";
import { ports } from "../../catalogue/ports.ts";
import { programs } from "../../catalogue/releases.ts";
import type { PlannedObject } from "../../core/plan.ts";
import { jobLabels, podMonitor } from "../../kubernetes/monitoring.ts";
import { fromSecret, podTemplate, selectorLabels, workloadLabels } from "../../kubernetes/pod.ts";
import { resourceRequirements } from "../../kubernetes/resources.ts";
import { deployment } from "../../kubernetes/workload.ts";
import type { KeystoreConnection } from "../connections-args.ts";
import type { ResolvedKeystore } from "./schema.ts";

const name = names.keystoreExporter;
/** User and group of the image. */
const user = 59000;
const port = "http-metrics";

/** Labels of what the exporter gives. */
export function keystoreMetrics({ namespace }: Pick<ResolvedKeystore, "namespace">): string {
  return jobLabels(namespace, name);
}

/** Where the names of its metrics were read. */
export const keystoreMetricSource = "redis_exporter 1.89.0: exporter/exporter.go";

/**
 * Valkey gives Prometheus nothing itself: an exporter asks it. It has a pod of its own, since a sidecar that does not start, or whose image
 * can't be pulled, would take the keystore out of its Service. None if the platform is not monitored.
 * @param secrets platform names of the Secrets with the password
 */
export function exporterObjects(
  args: ResolvedKeystore,
  { host, port: keystorePort, password }: KeystoreConnection,
  secrets: readonly string[],
): PlannedObject[] {
  if (!args.platform.monitoring) return [];
  const metadata = {
    name,
    namespace: args.namespace,
    labels: workloadLabels(name, args.partOf, args.platform),
  };
  const probe = { httpGet: { path: "/health", port } };
  const template = podTemplate(
    {
      name,
      partOf: args.partOf,
      user,
      group: user,
      secrets,
      containers: [
        {
          name,
          image: `${repositories.keystoreExporter}:${programs.redisExporter.deployed}`,
          env: [
            { name: "REDIS_ADDR", value: `redis://${host}:${keystorePort}` },
            ...(password ? [fromSecret("REDIS_PASSWORD", password)] : []),
            { name: "REDIS_EXPORTER_WEB_LISTEN_ADDRESS", value: `:${ports.keystoreMetrics}` },
            // Else it would take the password to any address that a caller names. (exporter/http.go, scrapeHandler)
            { name: "REDIS_EXPORTER_DISABLE_SCRAPE_ENDPOINT", value: "true" },
          ],
          ports: [{ name: port, containerPort: ports.keystoreMetrics, protocol: "TCP" }],
          resources: resourceRequirements({
            requests: { cpu: "10m", memory: "32Mi" },
            limits: { cpu: "100m", memory: "64Mi" },
          }),
          readinessProbe: { ...probe, periodSeconds: 10 },
          livenessProbe: { ...probe, periodSeconds: 20, failureThreshold: 5 },
        },
      ],
    },
    args.platform,
  );
  return [
    { object: deployment({ metadata, replicas: 1, template }) },
    ...podMonitor(metadata, selectorLabels(name), { port }, args.platform),
  ];
}
