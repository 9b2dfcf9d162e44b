import type { StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { PersistentVolumeClaim, Service } from "kubernetes-types/core/v1.d.ts";
import { ports } from "../catalogue/ports.ts";
import type { PlannedObject } from "../core/plan.ts";
import { canonicalQuantity, parseQuantity } from "../core/quantities.ts";
import { fromSecret, selectorLabels } from "../kubernetes/pod.ts";
import { resourceRequirements } from "../kubernetes/resources.ts";
import { objectStoreKeys } from "../stores/connections.ts";
import { gitstoreShutdownSeconds } from "./configuration/gitstore.ts";
import { configurationPaths, repositoriesPath } from "./configuration.ts";
import type { ResolvedForge } from "./defaults.ts";
import { forgeNames } from "./forge-names.ts";
import { forgePod, goEnvironment } from "./forge-pod.ts";
import { images } from "./images.ts";
import { forgeMetadata } from "./metadata.ts";

const name = forgeNames.gitstore;
/** The git store: one pod, its volume, and its Service. */
export function gitstoreObjects(args: ResolvedForge): PlannedObject[] {
  return [{ object: claim(args), holdsData: true }, { object: service(args) }, { object: statefulSet(args) }];
}

function claim(args: ResolvedForge) {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: forgeMetadata(args, name, forgeNames.repositories),
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: args.repositoryClass,
      resources: { requests: { storage: canonicalQuantity(args.repositorySize) } },
    },
  } satisfies PersistentVolumeClaim;
}

function service(args: ResolvedForge) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: forgeMetadata(args, name),
    spec: {
      // One pod, whose address its clients hold connections to.
      clusterIP: "None",
      selector: selectorLabels(name),
      ports: [
        // Not called grpc: what guesses protocols by port names would change it on the way.
        { name: "tcp-gitstore", port: ports.forgeGitstore, targetPort: "gitstore", protocol: "TCP" },
        { name: "http-metrics", port: ports.forgeGitstoreMetrics, targetPort: "http-metrics", protocol: "TCP" },
      ],
    },
  } satisfies Service;
}

function statefulSet(args: ResolvedForge) {
  const resources = args.resources.gitstore;
  const { credentials } = args.objectStore;
  const storeKey = (key: string) => fromSecret(key, { name: credentials, key });
  const probe = (timing: { periodSeconds: number; timeoutSeconds: number; failureThreshold: number }) => ({
    // The API server fills in the empty service.
    grpc: { port: ports.forgeGitstore, service: "" },
    ...timing,
  });
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: forgeMetadata(args, name),
    spec: {
      replicas: 1,
      serviceName: name,
      selector: { matchLabels: selectorLabels(name) },
      template: forgePod(args, {
        name,
        programs: ["gitstore"],
        secrets: [credentials],
        gracePeriodSeconds: gitstoreShutdownSeconds + 5,
        containers: [
          {
            name: "gitstore",
            program: "gitstore",
            image: images(args).gitstore,
            env: [
              { name: "CONFIG_TEMPLATE_DIRECTORY", value: configurationPaths.gitstore },
              { name: "CONFIG_DIRECTORY", value: "/etc/gitaly" },
              { name: "GITALY_CONFIG_FILE", value: "/etc/gitaly/config.toml" },
              { name: "SSL_CERT_DIR", value: "/etc/ssl/certs" },
              ...goEnvironment,
              // For the copies of its repositories. Not every store knows the checksums that the SDK sends unasked.
              storeKey(objectStoreKeys.accessKeyId),
              storeKey(objectStoreKeys.secretAccessKey),
              { name: "AWS_REQUEST_CHECKSUM_CALCULATION", value: "when_required" },
              // Go collects its garbage before the limit ends the pod; git's own processes need the rest.
              { name: "GOMEMLIMIT", value: String(Math.floor((parseQuantity(resources.limits.memory) ?? 0) * 0.7)) },
            ],
            ports: [
              { name: "gitstore", containerPort: ports.forgeGitstore, protocol: "TCP" },
              { name: "http-metrics", containerPort: ports.forgeGitstoreMetrics, protocol: "TCP" },
            ],
            resources: resourceRequirements(resources),
            volumeMounts: [{ name: "repositories", mountPath: repositoriesPath }],
            startupProbe: probe({ periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 60 }),
            readinessProbe: probe({ periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 }),
            livenessProbe: probe({ periodSeconds: 20, timeoutSeconds: 10, failureThreshold: 3 }),
          },
        ],
        volumes: [{ name: "repositories", persistentVolumeClaim: { claimName: forgeNames.repositories } }],
      }),
    },
  } satisfies StatefulSet;
}
