import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { deployment, disruptionBudget, service } from "../kubernetes/workload.ts";
import { forgeContainerPorts } from "./configuration/ports.ts";
import { shellShutdownSeconds } from "./configuration/shell.ts";
import { configurationPaths, secretsPath } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod, goEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";
import { autoscaling } from "./scaling.ts";

const name = forgeNames.shell;

/** The SSH pods (gitlab-sshd, which needs no root and no sshd_config), and their Service. */
export function shellObjects(args: ResolvedForge): PlannedObject[] {
  return [
    { object: shell(args), ...autoscaling.ignored(args) },
    { object: service(forgeMetadata(args, name), { ssh: ports.forgeShell }) },
    ...disruptionBudget(forgeMetadata(args, name), args.replicas.shell),
    ...autoscaling.objects(args, name, args.replicas.shell),
  ];
}

function shell(args: ResolvedForge) {
  return deployment({
    metadata: forgeMetadata(args, name),
    replicas: args.replicas.shell,
    template: forgePod(args, {
      name,
      programs: ["shell"],
      // Pushes and fetches under way may end.
      gracePeriodSeconds: shellShutdownSeconds + 5,
      spread: true,
      containers: [
        {
          name: "shell",
          program: "shell",
          image: images(args).shell,
          env: [
            { name: "CONFIG_TEMPLATE_DIRECTORY", value: configurationPaths.shell },
            { name: "CONFIG_DIRECTORY", value: "/srv/gitlab-shell" },
            { name: "KEYS_DIRECTORY", value: `${secretsPath("shell")}/ssh` },
            { name: "SSH_DAEMON", value: "gitlab-sshd" },
            ...goEnvironment,
          ],
          ports: [
            { name: "ssh", containerPort: forgeContainerPorts.shell, protocol: "TCP" },
            { name: "http-metrics", containerPort: forgeContainerPorts.shellHealth, protocol: "TCP" },
          ],
          resources: resourceRequirements(args.resources.shell),
          startupProbe: probe("/start", { periodSeconds: 2, timeoutSeconds: 3, failureThreshold: 60 }),
          readinessProbe: probe("/start", { periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 2 }),
          livenessProbe: probe("/health", { periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 3 }),
        },
      ],
    }),
  });
}

function probe(path: string, timing: { periodSeconds: number; timeoutSeconds: number; failureThreshold: number }) {
  return { httpGet: { path, port: "http-metrics" }, ...timing };
}
