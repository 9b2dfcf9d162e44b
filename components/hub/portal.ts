import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { portalFile } from "./configuration/portal.ts";
import { hubFiles } from "./configuration.ts";
import type { ResolvedHub } from "./defaults.ts";
import { hubNames } from "./hub-names.ts";
import { configMap, configMount, configVolume, fileName, hubPod } from "./hub-pod.ts";
import { images } from "./images.ts";
import { hubMetadata } from "./metadata.ts";

const name = hubNames.portal;

/** The pods of the web UI, which are files behind a web server, and their Service. */
export function portalObjects(args: ResolvedHub): PlannedObject[] {
  const metadata = hubMetadata(args, name);
  const replicas = args.replicas.portal;
  return [
    configMap(args, name, name, { [fileName(hubFiles.portal)]: portalFile() }),
    { object: deployment({ metadata, replicas, template: pod(args) }) },
    { object: service(metadata, { http: ports.hubPortal }) },
    ...disruptionBudget(metadata, replicas),
  ];
}

function pod(args: ResolvedHub) {
  const check = { httpGet: { path: "/", port: "http" }, timeoutSeconds: 5 };
  return hubPod(args, {
    name,
    spread: true,
    gracePeriodSeconds: 30,
    configuration: { portal: portalFile() },
    containers: [
      {
        name: "portal",
        image: images(args).portal,
        ports: [{ name: "http", containerPort: ports.hubPortal, protocol: "TCP" }],
        resources: resourceRequirements(args.resources.portal),
        volumeMounts: [configMount(name, hubFiles.portal), { name: "tmp", mountPath: "/tmp" }],
        startupProbe: { ...check, periodSeconds: 2, failureThreshold: 60 },
        readinessProbe: { ...check, periodSeconds: 10, failureThreshold: 3 },
        livenessProbe: { ...check, periodSeconds: 20, failureThreshold: 3 },
        // Traefik sends requests for a moment more.
        lifecycle: { preStop: { exec: { command: ["sleep", "5"] } } },
      },
    ],
    volumes: [configVolume(name), { name: "tmp", emptyDir: {} }],
  });
}
