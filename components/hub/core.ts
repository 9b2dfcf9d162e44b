import type { Probe } from "kubernetes-types/core/v1.d.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import type { ContainerRequest } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { coreConfiguration, coreEnvironment, coreFile } from "./configuration/core.ts";
import { drainSeconds } from "./configuration/registry.ts";
import { hubFiles } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { configMap, configMount, configVolume, environment, fileName, hubContainer, hubPod } from "./hub-pod.ts";
import { images } from "./images.ts";
import { hubMetadata } from "./metadata.ts";
import { hubPorts } from "./ports.ts";
import {
  readSecrets,
  type SecretFile,
  type SecretVariable,
  secretEnvironment,
  secretMounts,
  secretVolumes,
} from "./secrets.ts";

const name = hubNames.core;
/** Seconds a roll-out may take: the start waits for the stores. */
const rolloutSeconds = 1800;

/** Secret variables of core and the migrations. */
export const coreVariables: readonly SecretVariable[] = [
  "coreSecret",
  "jobserviceSecret",
  "csrfKey",
  "administratorPassword",
  "databasePassword",
  "keystorePassword",
  "registryUser",
  "registryPassword",
  "clientId",
  "clientSecret",
];

/** Secret files of core and the migrations. */
export const coreSecretFiles: readonly SecretFile[] = ["encryptionKey", "tokenKey"];

/** The core pods and their Service; they come after what is `ready`. */
export function coreObjects(args: ResolvedHub, ready: readonly string[]): PlannedObject[] {
  const metadata = hubMetadata(args, name);
  const replicas = args.replicas.core;
  return [
    configMap(args, name, name, { [fileName(hubFiles.core)]: coreFile() }),
    { object: deployment({ metadata, replicas, rolloutSeconds, template: pod(args) }), after: [...ready] },
    { object: service(metadata, { http: ports.hubCore, "http-metrics": hubPorts.metrics }) },
    ...disruptionBudget(metadata, replicas),
  ];
}

function pod(args: ResolvedHub) {
  return hubPod(args, {
    name,
    spread: true,
    configuration: { core: coreFile() },
    secrets: readSecrets(args, coreVariables, coreSecretFiles),
    containers: [
      hubContainer(args, {
        ...coreContainer(args),
        ports: [
          { name: "http", containerPort: ports.hubCore, protocol: "TCP" },
          { name: "http-metrics", containerPort: hubPorts.metrics, protocol: "TCP" },
        ],
        startupProbe: ping({ periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 60 }),
        readinessProbe: ping({ periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 2 }),
        livenessProbe: ping({ periodSeconds: 20, timeoutSeconds: 10, failureThreshold: 3 }),
        // Core ends at once when it is told to; until then the layers under way may pass.
        lifecycle: { preStop: { exec: { command: ["sleep", String(drainSeconds)] } } },
      }),
    ],
    volumes: coreVolumes(args),
  });
}

/** Shared by core and its migrations. */
export function coreContainer(args: ResolvedHub): ContainerRequest {
  return {
    name: "core",
    image: images(args).core,
    env: [...secretEnvironment(args, coreVariables), ...environment(coreEnvironment(coreConfiguration(args)))],
    resources: resourceRequirements(args.resources.core),
    volumeMounts: [
      configMount(name, hubFiles.core),
      ...secretMounts(coreSecretFiles),
      { name: "token", mountPath: "/etc/core/token" },
    ],
  };
}

/** Volumes of `coreContainer`. */
export function coreVolumes(args: ResolvedHub) {
  return [configVolume(name), ...secretVolumes(args, coreSecretFiles), { name: "token", emptyDir: {} }];
}

/** Core's own answer; its health is an aggregate of all parts, for which no pod of core should be ended. */
function ping(timing: Partial<Probe>): Probe {
  return { httpGet: { path: "/api/v2.0/ping", port: "http" }, ...timing };
}
