import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { registryConfiguration, registryControllerFile, registryFile } from "./configuration/registry.ts";
import { hubFiles } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { configMap, configMount, configVolume, fileName, hubContainer, hubPod } from "./hub-pod.ts";
import { images } from "./images.ts";
import { hubMetadata } from "./metadata.ts";
import { hubPorts } from "./ports.ts";
import { readSecrets, type SecretVariable, secretEnvironment, secretMounts, secretVolumes } from "./secrets.ts";

const name = hubNames.registry;
const controllerName = hubNames.registryController;

/** Secrets that the registry reads from its environment. */
const storageVariables: readonly SecretVariable[] = [
  "registryHttpSecret",
  "registryKeystorePassword",
  "objectStoreKeyId",
  "objectStoreKey",
];
const controllerVariables: readonly SecretVariable[] = ["coreSecret", "jobserviceSecret", ...storageVariables];

/** The registry pods, each with a controller, and the Service of both. */
export function registryObjects(args: ResolvedHub): PlannedObject[] {
  const metadata = hubMetadata(args, name);
  const replicas = args.replicas.registry;
  return [
    configMap(args, name, name, { [fileName(hubFiles.registry)]: registryFile(registryConfiguration(args)) }),
    configMap(args, name, controllerName, { [fileName(hubFiles.registryController)]: registryControllerFile() }),
    { object: deployment({ metadata, replicas, template: pod(args) }) },
    {
      object: service(metadata, {
        "http-registry": ports.hubRegistry,
        "http-controller": hubPorts.registryController,
        "http-metrics": hubPorts.metrics,
      }),
    },
    ...disruptionBudget(metadata, replicas),
  ];
}

function pod(args: ResolvedHub) {
  return hubPod(args, {
    name,
    spread: true,
    configuration: { registry: registryFile(registryConfiguration(args)), controller: registryControllerFile() },
    secrets: readSecrets(args, controllerVariables, ["registryUsers"]),
    containers: [registry(args), controller(args)],
    volumes: [configVolume(name), configVolume(controllerName), ...secretVolumes(args, ["registryUsers"])],
  });
}

function registry(args: ResolvedHub) {
  const check = { httpGet: { path: "/", port: "http-registry" }, timeoutSeconds: 5 };
  return hubContainer(args, {
    name: "registry",
    image: images(args).registry,
    env: secretEnvironment(args, storageVariables),
    ports: [
      { name: "http-registry", containerPort: ports.hubRegistry, protocol: "TCP" },
      { name: "http-metrics", containerPort: hubPorts.metrics, protocol: "TCP" },
    ],
    resources: resourceRequirements(args.resources.registry),
    volumeMounts: [configMount(name, hubFiles.registry), ...secretMounts(["registryUsers"])],
    startupProbe: { ...check, periodSeconds: 5, failureThreshold: 60 },
    readinessProbe: { ...check, periodSeconds: 10, failureThreshold: 3 },
    livenessProbe: { ...check, periodSeconds: 20, failureThreshold: 3 },
    // Core goes on calling it for a moment; after that it lets its requests end by itself.
    lifecycle: { preStop: { exec: { command: ["sleep", "5"] } } },
  });
}

function controller(args: ResolvedHub) {
  const check = { httpGet: { path: "/api/health", port: "http-controller" }, timeoutSeconds: 5 };
  return hubContainer(args, {
    name: "controller",
    image: images(args).registryController,
    env: secretEnvironment(args, controllerVariables),
    ports: [{ name: "http-controller", containerPort: hubPorts.registryController, protocol: "TCP" }],
    resources: resourceRequirements(args.resources.registryController),
    volumeMounts: [
      configMount(name, hubFiles.registry),
      configMount(controllerName, hubFiles.registryController),
      ...secretMounts(["registryUsers"]),
    ],
    startupProbe: { ...check, periodSeconds: 5, failureThreshold: 60 },
    readinessProbe: { ...check, periodSeconds: 10, failureThreshold: 3 },
    livenessProbe: { ...check, periodSeconds: 20, failureThreshold: 3 },
  });
}
