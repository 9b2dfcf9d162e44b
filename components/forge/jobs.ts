import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { forgeContainerPorts } from "./configuration/ports.ts";
import type { ResolvedForge } from "./defaults.ts";
import { dependencies } from "./dependencies.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod, railsEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";
import { autoscaling, writingPods } from "./scaling.ts";

const name = forgeNames.jobs;

/** Jobs at once in each pod; each may hold a connection to the database. */
export const jobThreads = 20;
/** Seconds a job has to end when its pod is told to; after that it runs again elsewhere. */
const jobTimeout = 25;

/** The pods of background jobs, and the Service of their metrics; they come after what is `ready`. */
export function jobsObjects(args: ResolvedForge, ready: readonly string[]): PlannedObject[] {
  return [
    { object: jobs(args), after: ready, ...autoscaling.ignored(args) },
    { object: service(forgeMetadata(args, name), { "http-metrics": ports.forgeJobsMetrics }) },
    ...disruptionBudget(forgeMetadata(args, name), writingPods(args, "jobs")),
    ...autoscaling.objects(args, name, writingPods(args, "jobs")),
  ];
}

function jobs(args: ResolvedForge) {
  return deployment({
    metadata: forgeMetadata(args, name),
    replicas: writingPods(args, "jobs"),
    rolloutSeconds: 3600,
    template: forgePod(args, {
      name,
      programs: ["jobs"],
      gracePeriodSeconds: jobTimeout + 10,
      spread: true,
      initContainers: [dependencies(args, "jobs", images(args).jobs)],
      containers: [
        {
          name: "jobs",
          program: "jobs",
          image: images(args).jobs,
          env: [
            ...railsEnvironment(args, "jobs"),
            { name: "prometheus_multiproc_dir", value: "/metrics" },
            { name: "SIDEKIQ_CONCURRENCY", value: String(jobThreads) },
            { name: "SIDEKIQ_TIMEOUT", value: String(jobTimeout) },
            { name: "SIDEKIQ_QUEUES", value: "*" },
            { name: "SIDEKIQ_DAEMON_MEMORY_KILLER", value: "1" },
            { name: "SIDEKIQ_MEMORY_KILLER_CHECK_INTERVAL", value: "3" },
            { name: "SIDEKIQ_MEMORY_KILLER_MAX_RSS", value: "2000000" },
            { name: "SIDEKIQ_MEMORY_KILLER_GRACE_TIME", value: "900" },
            { name: "SIDEKIQ_MEMORY_KILLER_SHUTDOWN_WAIT", value: "30" },
          ],
          ports: [
            { name: "http-metrics", containerPort: ports.forgeJobsMetrics, protocol: "TCP" },
            { name: "health", containerPort: forgeContainerPorts.jobsHealth, protocol: "TCP" },
          ],
          resources: resourceRequirements(args.resources.jobs),
          volumeMounts: [{ name: "metrics", mountPath: "/metrics" }],
          startupProbe: probe("/liveness", { periodSeconds: 10, timeoutSeconds: 10, failureThreshold: 60 }),
          readinessProbe: probe("/readiness", { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 }),
          livenessProbe: probe("/liveness", { periodSeconds: 60, timeoutSeconds: 30, failureThreshold: 3 }),
          lifecycle: { preStop: { exec: { command: ["bash", "-c", "pkill -f sidekiq"] } } },
        },
      ],
      volumes: [{ name: "metrics", emptyDir: { medium: "Memory" } }],
    }),
  });
}

function probe(path: string, timing: { periodSeconds: number; timeoutSeconds: number; failureThreshold: number }) {
  return { httpGet: { path, port: "health" }, ...timing };
}
