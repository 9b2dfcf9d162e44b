import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { internalUrls } from "./configuration/addresses.ts";
import { jobserviceConfiguration, jobserviceEnvironment, jobserviceFile } from "./configuration/jobservice.ts";
import { hubFiles, scriptNames, scriptsPath } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import {
  configMap,
  configMount,
  configVolume,
  environment,
  fileName,
  hubContainer,
  hubPod,
  scriptsMount,
} from "./hub-pod.ts";
import { images } from "./images.ts";
import { hubMetadata } from "./metadata.ts";
import { hubPorts } from "./ports.ts";
import { readSecrets, type SecretVariable, secretEnvironment } from "./secrets.ts";

const name = hubNames.jobservice;

const variables: readonly SecretVariable[] = [
  "coreSecret",
  "jobserviceSecret",
  "keystorePassword",
  "registryUser",
  "registryPassword",
];

/** The pods of background jobs and their Service; they come after core, whose settings they are started with. */
export function jobserviceObjects(args: ResolvedHub): PlannedObject[] {
  const metadata = hubMetadata(args, name);
  const replicas = args.replicas.jobservice;
  return [
    configMap(args, name, name, { [fileName(hubFiles.jobservice)]: jobserviceFile(jobserviceConfiguration(args)) }),
    { object: deployment({ metadata, replicas, template: pod(args) }), after: [`Deployment/${hubNames.core}`] },
    { object: service(metadata, { http: ports.hubJobservice, "http-metrics": hubPorts.metrics }) },
    ...disruptionBudget(metadata, replicas),
  ];
}

function pod(args: ResolvedHub) {
  const check = { httpGet: { path: "/api/v1/stats", port: "http" }, timeoutSeconds: 5 };
  const image = images(args).jobservice;
  return hubPod(args, {
    name,
    spread: true,
    configuration: { jobservice: jobserviceFile(jobserviceConfiguration(args)) },
    secrets: readSecrets(args, variables),
    initContainers: [
      // Without core the program ends at once: it would crash again and again where a node brings all pods up together.
      hubContainer(args, {
        name: "wait-for-core",
        image,
        command: ["sh", `${scriptsPath}/${scriptNames.waitForCore}`],
        env: [{ name: "CORE_URL", value: internalUrls.core }],
        resources: resourceRequirements(args.resources.jobservice),
        volumeMounts: [scriptsMount],
      }),
    ],
    containers: [
      hubContainer(args, {
        name: "jobservice",
        image,
        env: [
          ...secretEnvironment(args, variables),
          ...environment(jobserviceEnvironment(jobserviceConfiguration(args))),
        ],
        ports: [
          { name: "http", containerPort: ports.hubJobservice, protocol: "TCP" },
          { name: "http-metrics", containerPort: hubPorts.metrics, protocol: "TCP" },
        ],
        resources: resourceRequirements(args.resources.jobservice),
        volumeMounts: [configMount(name, hubFiles.jobservice), { name: "logs", mountPath: "/var/log/jobs" }],
        startupProbe: { ...check, periodSeconds: 5, failureThreshold: 60 },
        readinessProbe: { ...check, periodSeconds: 10, failureThreshold: 3 },
        livenessProbe: { ...check, periodSeconds: 20, failureThreshold: 3 },
      }),
    ],
    volumes: [configVolume(name), configVolume(hubNames.scripts), { name: "logs", emptyDir: {} }],
  });
}
