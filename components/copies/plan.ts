import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CronJob } from "kubernetes-types/batch/v1.d.ts";
import type { EnvVar, PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import { ports } from "../catalogue/ports.ts";
import { joinPlans, type Plan, type PlannedObject } from "../core/plan.ts";
import { requestsIn, secretName } from "../core/secrets.ts";
import { alerts as namespaceAlerts } from "../kubernetes/alerts.ts";
import { podMonitor, prometheusRule } from "../kubernetes/monitoring.ts";
import { planNamespaceWithoutData } from "../kubernetes/namespace.ts";
import { podTemplate, selectorLabels } from "../kubernetes/pod.ts";
import { authorityFileMount, authorityVolumes } from "../kubernetes/private-ca.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { planSecrets } from "../kubernetes/secrets.ts";
import { deployment } from "../kubernetes/workload.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import type { ObjectStoreConnection } from "../stores/connections-args.ts";
import { copyImage, copyResources, nightlyCopy, remotes } from "../stores/copying.ts";
import { objectStoreConnection } from "../stores/object-storage/plan.ts";
import { alerts } from "./alerts.ts";
import { copiesNames, copyName, partOf, sourceCredentials } from "./copies-names.ts";
import { copiesMetadata } from "./metadata.ts";
import { networkObjects } from "./network.ts";
import type { ResolvedCopies } from "./schema.ts";

type Source = ResolvedCopies["sources"][number];

/** `nobody`: rclone's image has no user of its own. */
const user = 65534;

const scriptName = "copy.sh";
const script = readFileSync(join(import.meta.dirname, "scripts", scriptName), "utf8");
const scriptsPath = "/hearth";

/** What is told of the copies, and of their whole namespace. */
export const copiesAlerts = [...alerts, ...namespaceAlerts];

/** The namespace with the keys of all stores, a CronJob for each source, and what tells Prometheus of the last copies. */
export function planCopies(args: ResolvedCopies): Plan {
  const { namespace, platform, sources } = args;
  const request = requestsIn(namespace);
  const keys = {
    [objectStoreKeys.accessKeyId]: { external: true },
    [objectStoreKeys.secretAccessKey]: { external: true },
  } as const;
  const names = [copiesNames.credentials, ...sources.map(({ name }) => sourceCredentials(name))];
  const scripts = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: copiesMetadata(args, copiesNames.copy, copiesNames.scripts),
    data: { [scriptName]: script },
  };
  return joinPlans(
    // The copies are elsewhere.
    { objects: planNamespaceWithoutData(namespace, platform) },
    planSecrets(
      names.map((name) => request(name, keys)),
      platform.secrets,
    ),
    {
      objects: [
        { object: scripts },
        ...sources.map((source) => ({ object: cronJob(args, source) })),
        ...metricsObjects(args),
        ...networkObjects(args),
      ],
    },
  );
}

function cronJob(args: ResolvedCopies, source: Source) {
  const seconds = args.hours * 60 * 60;
  const template = rclonePod(args, copiesNames.copy, {
    command: ["sh", `${scriptsPath}/${scriptName}`],
    secrets: [copiesNames.credentials, sourceCredentials(source.name)],
    env: [
      { name: "SOURCE", value: source.name },
      { name: "BUCKETS", value: source.buckets.join(" ") },
      { name: "COPIES_BUCKET", value: args.to.bucket },
      { name: "SECONDS_ALLOWED", value: String(seconds) },
      { name: "MAX_DELETED_PERCENT", value: String(args.maxDeletedPercent) },
      ...(args.bandwidth === undefined ? [] : [{ name: "BANDWIDTH", value: `${args.bandwidth}M` }]),
      // A suite's files are all in one folder: longer listings are sorted on disk.
      { name: "RCLONE_LIST_CUTOFF", value: "100000" },
      ...remotes({ store: connection(args, source, sourceCredentials(source.name)), copies: target(args) }),
    ],
    resources: resourceRequirements(args.resources),
    restartPolicy: "Never",
  });
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: copiesMetadata(args, copiesNames.copy, copyName(source.name)),
    // rclone has tried again by itself. The script ends in time; the rest is for its last words.
    spec: nightlyCopy(args.schedule, template, { backoffLimit: 0, activeDeadlineSeconds: seconds + 1800 }),
  } satisfies CronJob;
}

/** Serves the files in which each copy says when it was good and how large. They are beside the copies, so that nothing here has to last. */
function metricsObjects(args: ResolvedCopies): PlannedObject[] {
  const name = copiesNames.metrics;
  const port = ports.copiesMetrics;
  const probe = { tcpSocket: { port: "metrics" } };
  const template = rclonePod(args, name, {
    command: [
      ...["rclone", "serve", "http", "--read-only", "--s3-no-check-bucket", "--dir-cache-time", "30s"],
      ...["--addr", `:${port}`, `copies:${args.to.bucket}/_copies`],
    ],
    secrets: [copiesNames.credentials],
    env: [{ name: "XDG_CACHE_HOME", value: "/tmp" }, ...remotes({ copies: target(args) })],
    resources: copyResources,
    container: {
      ports: [{ name: "metrics", containerPort: port, protocol: "TCP" }],
      readinessProbe: { ...probe, periodSeconds: 10 },
      livenessProbe: { ...probe, periodSeconds: 30 },
    },
  });
  const endpoints = args.sources.map((source) => ({ port: "metrics", path: `/${source.name}.txt`, interval: "2m" }));
  return [
    { object: deployment({ metadata: copiesMetadata(args, name), replicas: 1, template }) },
    ...podMonitor(copiesMetadata(args, name), selectorLabels(name), endpoints, args.platform),
    ...prometheusRule(copiesMetadata(args, name, copiesNames.alerts), copiesAlerts, args),
  ];
}

interface RclonePod {
  readonly command: string[];
  readonly secrets: readonly string[];
  readonly env: EnvVar[];
  readonly resources: ReturnType<typeof resourceRequirements>;
  readonly restartPolicy?: "Never";
  readonly container?: object;
}

function rclonePod(
  args: ResolvedCopies,
  name: string,
  { secrets, restartPolicy, container, ...rest }: RclonePod,
): PodTemplateSpec {
  const scripts = restartPolicy ? [{ name: "scripts", mountPath: scriptsPath, readOnly: true }] : [];
  return podTemplate(
    {
      name,
      partOf,
      user,
      group: user,
      ...(restartPolicy && { restartPolicy, configuration: { script } }),
      secrets,
      volumes: [
        ...(restartPolicy ? [{ name: "scripts", configMap: { name: copiesNames.scripts, defaultMode: 0o555 } }] : []),
        { name: "scratch", emptyDir: {} },
        ...authorityVolumes(args),
      ],
      containers: [
        {
          name,
          image: copyImage,
          ...rest,
          ...container,
          volumeMounts: [
            ...scripts,
            { name: "scratch", mountPath: "/tmp" },
            // A Go program reads every file of this folder besides the image's bundle.
            ...authorityFileMount(args, "/etc/ssl/certs"),
          ],
        },
      ],
    },
    args.platform,
  );
}

function target(args: ResolvedCopies): ObjectStoreConnection {
  const { to } = args;
  const known = objectStoreConnection({ ...to, credentials: copiesNames.credentials });
  return connection(args, { ...to, pathStyle: to.pathStyle ?? known.pathStyle }, copiesNames.credentials);
}

function connection(
  { platform }: ResolvedCopies,
  { endpoint, region, pathStyle }: Omit<ObjectStoreConnection, "credentials">,
  credentials: string,
): ObjectStoreConnection {
  return { endpoint, region, pathStyle, credentials: secretName(platform.secrets, credentials) };
}
