import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { authorityFileMount } from "../kubernetes/private-ca.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { copyEnvironment, copyResources } from "../stores/copying.ts";
import { installationEnvironment, suiteEnvironment } from "./environment.ts";
import { images } from "./images.ts";
import { jobResources } from "./job-resources.ts";
import { suiteMetadata } from "./metadata.ts";
import { requestWorkers } from "./request-workers.ts";
import type { ResolvedSuite } from "./schema.ts";
import { scriptsMount, scriptsPath } from "./scripts.ts";
import { suiteObjectStoreConnection } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";
import { suitePod } from "./suite-pod.ts";
import { isRestored, prepareMounts, scratch, webMounts } from "./volumes.ts";

/** Minutes a first start may take: the copy of the program to a network share and an upgrade of a large database are slow. */
const startMinutes = 60;

/** The web pods, their Service and, with several, their disruption budget. */
export function webObjects(args: ResolvedSuite): PlannedObject[] {
  const metadata = suiteMetadata(args, suiteNames.web);
  return [
    { object: web(args) },
    { object: service(metadata, { http: ports.cloudsuite }) },
    ...disruptionBudget(metadata, args.replicas.cloudsuite),
  ];
}

function web(args: ResolvedSuite) {
  const { replicas } = args;
  const name = suiteNames.web;
  return deployment({
    metadata: suiteMetadata(args, name),
    replicas: replicas.cloudsuite,
    // Two versions never run on one volume.
    strategy: "Recreate",
    rolloutSeconds: (startMinutes + 5) * 60,
    template: suitePod(args, {
      name,
      // A pod that is still installing or upgrading gets the time to end that; Apache itself ends at once.
      gracePeriodSeconds: 300,
      // The image's Apache listens on 80, and its user is not root.
      sysctls: [{ name: "net.ipv4.ip_unprivileged_port_start", value: "0" }],
      secrets: [suiteNames.administrator],
      spread: replicas.cloudsuite > 1,
      initContainers: [...(isRestored(args) ? [restoreConfiguration(args)] : []), prepare(args)],
      mounts: webMounts(args),
      container: {
        env: [
          ...installationEnvironment(args),
          { name: "REQUEST_WORKERS", value: String(requestWorkers(args.resources.cloudsuite.limits.memory)) },
        ],
        ports: [{ name: "http", containerPort: ports.cloudsuite, protocol: "TCP" }],
        resources: resourceRequirements(args.resources.cloudsuite),
        ...probes,
        // Traefik still sends requests for a moment after the pod is told to end.
        lifecycle: { preStop: { exec: { command: ["sleep", "10"] } } },
      },
    }),
  });
}

/** Apache starts only after installation or upgrade, so an open port ends the start; what it serves decides readiness. */
const probes = {
  startupProbe: { tcpSocket: { port: "http" }, periodSeconds: 10, failureThreshold: startMinutes * 6 },
  readinessProbe: {
    exec: { command: ["php", `${scriptsPath}/ready.php`, `http://127.0.0.1:${ports.cloudsuite}/status.php`] },
    periodSeconds: 15,
    timeoutSeconds: 10,
  },
  livenessProbe: { tcpSocket: { port: "http" }, periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 6 },
};

/** Before all others, with the image that copies config.php to the bucket every night. */
function restoreConfiguration(args: ResolvedSuite) {
  return {
    name: "restore-configuration",
    image: images(args).copy,
    command: ["sh", `${scriptsPath}/restore-configuration.sh`],
    env: copyEnvironment(suiteObjectStoreConnection(args), args.s3.buckets.backups),
    resources: copyResources,
    volumeMounts: [
      scriptsMount,
      ...prepareMounts,
      scratch("/tmp", "tmp"),
      // A Go program reads every file of this folder besides the image's bundle.
      ...authorityFileMount(args, "/etc/ssl/certs"),
    ],
  };
}

function prepare(args: ResolvedSuite) {
  return {
    name: "prepare",
    image: images(args).web,
    command: ["sh", `${scriptsPath}/prepare.sh`],
    env: suiteEnvironment(args),
    resources: jobResources,
    volumeMounts: [scriptsMount, ...prepareMounts],
  };
}
