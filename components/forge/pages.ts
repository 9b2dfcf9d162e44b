import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { forgeContainerPorts } from "./configuration/ports.ts";
import { configurationPaths } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod, goEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";

const name = forgeNames.pages;

/** The pods that serve static sites, and their Service. No objects without `pages`. */
export function pagesObjects(args: ResolvedForge): PlannedObject[] {
  if (!args.pages) return [];
  const { replicas } = args.pages;
  return [
    { object: pages(args, args.pages) },
    { object: service(forgeMetadata(args, name), { http: ports.forgePages }) },
    ...disruptionBudget(forgeMetadata(args, name), replicas),
  ];
}

function pages(args: ResolvedForge, { replicas, resources }: NonNullable<ResolvedForge["pages"]>) {
  const probe = (timing: { periodSeconds: number; failureThreshold: number }) => ({
    httpGet: { path: "/-/readiness", port: "health" },
    timeoutSeconds: 5,
    ...timing,
  });
  return deployment({
    metadata: forgeMetadata(args, name),
    replicas,
    template: forgePod(args, {
      name,
      programs: ["pages"],
      spread: true,
      containers: [
        {
          name: "pages",
          program: "pages",
          image: images(args).pages,
          env: [
            { name: "CONFIG_TEMPLATE_DIRECTORY", value: configurationPaths.pages },
            { name: "CONFIG_DIRECTORY", value: "/etc/gitlab-pages" },
            { name: "PAGES_CONFIG_FILE", value: "/etc/gitlab-pages/config" },
            { name: "GITLAB_PAGES_LOG_FORMAT", value: "json" },
            ...goEnvironment,
          ],
          ports: [
            { name: "http", containerPort: ports.forgePages, protocol: "TCP" },
            { name: "health", containerPort: forgeContainerPorts.pagesHealth, protocol: "TCP" },
            { name: "http-metrics", containerPort: forgeContainerPorts.pagesMetrics, protocol: "TCP" },
          ],
          resources: resourceRequirements(resources),
          startupProbe: probe({ periodSeconds: 2, failureThreshold: 60 }),
          readinessProbe: probe({ periodSeconds: 10, failureThreshold: 3 }),
          livenessProbe: {
            tcpSocket: { port: "health" },
            periodSeconds: 20,
            timeoutSeconds: 5,
            failureThreshold: 3,
          },
          // Traefik still sends requests for a moment after the pod is told to end.
          lifecycle: { preStop: { exec: { command: ["sleep", "10"] } } },
        },
      ],
    }),
  });
}
