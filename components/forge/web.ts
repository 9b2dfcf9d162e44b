import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { configurationPaths } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { dependencies } from "./dependencies.ts";
import { forgeNames } from "./forge-names.ts";
import { type ForgeContainerRequest, forgePod, goEnvironment, railsEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";
import { autoscaling, writingPods } from "./scaling.ts";

const name = forgeNames.webservice;
/** Seconds a pod still answers after it is told to end: Traefik sends requests for a moment more. */
const blackoutSeconds = 10;
/** Seconds a request may take. */
const workerTimeout = 60;

/** Processes and threads of each web pod; each thread may hold a connection to the database. */
export const webWorkers = { processes: 2, threads: 4 } as const;

/** The web pods with their proxy, and the Service of both; they come after what is `ready`. */
export function webObjects(args: ResolvedForge, ready: readonly string[]): PlannedObject[] {
  return [
    { object: pods(args), after: ready, ...autoscaling.ignored(args) },
    { object: webService(args) },
    ...disruptionBudget(forgeMetadata(args, name), writingPods(args, "webservice")),
    ...autoscaling.objects(args, name, writingPods(args, "webservice")),
  ];
}

function pods(args: ResolvedForge) {
  return deployment({
    metadata: forgeMetadata(args, name),
    replicas: writingPods(args, "webservice"),
    rolloutSeconds: 3600,
    template: forgePod(args, {
      name,
      programs: ["webservice", "proxy"],
      gracePeriodSeconds: blackoutSeconds + workerTimeout + 10,
      spread: true,
      initContainers: [dependencies(args, "webservice", images(args).webservice)],
      containers: [web(args), proxy(args)],
      volumes: [
        // Uploads pass from the proxy to the web server as files.
        { name: "tmp", emptyDir: {} },
        { name: "uploads", emptyDir: {} },
        { name: "metrics", emptyDir: { medium: "Memory" } },
      ],
    }),
  });
}

const sharedMounts = [
  { name: "tmp", mountPath: "/tmp" },
  { name: "uploads", mountPath: "/srv/gitlab/public/uploads/tmp" },
];

function web(args: ResolvedForge): ForgeContainerRequest {
  return {
    name: "webservice",
    program: "webservice",
    image: images(args).webservice,
    env: [
      ...railsEnvironment(args, "webservice"),
      { name: "GITLAB_WEBSERVER", value: "puma" },
      { name: "TMPDIR", value: "/tmp/gitlab" },
      { name: "prometheus_multiproc_dir", value: "/metrics" },
      { name: "INTERNAL_PORT", value: String(ports.forgeWeb) },
      { name: "BIND_IP6", value: "false" },
      { name: "PUMA_CONTROL_PORT", value: "9293" },
      { name: "WORKER_PROCESSES", value: String(webWorkers.processes) },
      { name: "WORKER_TIMEOUT", value: String(workerTimeout) },
      { name: "PUMA_THREADS_MIN", value: String(webWorkers.threads) },
      { name: "PUMA_THREADS_MAX", value: String(webWorkers.threads) },
      // The memory limit ends a pod that grows too much, its neighbour keeps serving.
      { name: "DISABLE_PUMA_WORKER_KILLER", value: "true" },
      { name: "SHUTDOWN_BLACKOUT_SECONDS", value: String(blackoutSeconds) },
      { name: "WORKHORSE_ARCHIVE_CACHE_DISABLED", value: "true" },
    ],
    ports: [
      { name: "http-webservice", containerPort: ports.forgeWeb, protocol: "TCP" },
      { name: "http-metrics-ws", containerPort: ports.forgeWebMetrics, protocol: "TCP" },
    ],
    resources: resourceRequirements(args.resources.webservice),
    volumeMounts: [...sharedMounts, { name: "metrics", mountPath: "/metrics" }],
    // The first boot takes up to three minutes.
    startupProbe: {
      httpGet: { path: "/-/liveness", port: "http-webservice" },
      periodSeconds: 10,
      timeoutSeconds: 10,
      failureThreshold: 60,
    },
    readinessProbe: {
      httpGet: { path: "/-/readiness", port: "http-webservice" },
      periodSeconds: 5,
      timeoutSeconds: 5,
      failureThreshold: 3,
    },
    livenessProbe: {
      httpGet: { path: "/-/liveness", port: "http-webservice" },
      periodSeconds: 60,
      timeoutSeconds: 30,
      failureThreshold: 3,
    },
    // Puma answers until the blackout is over, then ends its requests.
    lifecycle: { preStop: { exec: { command: ["bash", "-c", "pkill -SIGINT -o ruby"] } } },
  };
}

function proxy(args: ResolvedForge): ForgeContainerRequest {
  const check = { exec: { command: ["/scripts/healthcheck"] }, timeoutSeconds: 10 };
  return {
    name: "proxy",
    program: "proxy",
    image: images(args).proxy,
    env: [
      { name: "TMPDIR", value: "/tmp/gitlab" },
      { name: "GITLAB_WORKHORSE_AUTH_BACKEND", value: `http://localhost:${ports.forgeWeb}` },
      { name: "GITLAB_WORKHORSE_LISTEN_PORT", value: String(ports.forgeProxy) },
      { name: "GITLAB_WORKHORSE_LOG_FORMAT", value: "json" },
      { name: "CONFIG_TEMPLATE_DIRECTORY", value: configurationPaths.proxy },
      { name: "CONFIG_DIRECTORY", value: "/srv/gitlab/config" },
      { name: "SHUTDOWN_BLACKOUT_SECONDS", value: String(blackoutSeconds) },
      ...goEnvironment,
    ],
    ports: [{ name: "http-workhorse", containerPort: ports.forgeProxy, protocol: "TCP" }],
    resources: resourceRequirements(args.resources.proxy),
    volumeMounts: sharedMounts,
    startupProbe: { ...check, periodSeconds: 10, failureThreshold: 60 },
    readinessProbe: { ...check, periodSeconds: 10, failureThreshold: 3 },
    livenessProbe: { ...check, periodSeconds: 60, timeoutSeconds: 30, failureThreshold: 3 },
    lifecycle: { preStop: { exec: { command: ["sleep", String(blackoutSeconds)] } } },
  };
}

function webService(args: ResolvedForge) {
  return service(forgeMetadata(args, name), {
    "http-webservice": ports.forgeWeb,
    "http-workhorse": ports.forgeProxy,
    "http-metrics-ws": ports.forgeWebMetrics,
  });
}
