import type { PodTemplateSpec } from "kubernetes-types/core/v1.d.ts";
import { type ContainerRequest, type PodRequest, podTemplate, selectorLabels } from "../kubernetes/pod.ts";
import { appParts } from "./apps/registry.ts";
import { suiteEnvironment } from "./environment.ts";
import { images } from "./images.ts";
import { partOf } from "./metadata.ts";
import type { ResolvedSuite } from "./schema.ts";
import { storeSecrets } from "./stores.ts";
import { suiteNames } from "./suite-names.ts";
import { bundleEnvironment, bundleInitContainers, bundleMounts, bundleVolumes } from "./trust.ts";
import { isShared, podConfiguration, suiteMounts, suiteVolumes } from "./volumes.ts";

/** `www-data` of the image. Started as it, the entrypoint never needs root. */
export const suiteUser = 33;

/** A pod that runs the suite's PHP, in what it differs from the others. */
export interface SuitePodRequest {
  /** Name of the workload. */
  readonly name: string;
  /** The one container; environment, mounts and image are those of the suite. */
  readonly container: Omit<ContainerRequest, "image" | "name">;
  /** Mounts of the container beside those of every suite pod. @default none */
  readonly mounts?: ContainerRequest["volumeMounts"];
  readonly initContainers?: readonly ContainerRequest[];
  /** Volumes beside those of every suite pod. @default none */
  readonly volumes?: PodRequest["volumes"];
  readonly gracePeriodSeconds?: number;
  readonly restartPolicy?: "Always" | "OnFailure" | "Never";
  readonly sysctls?: PodRequest["sysctls"];
  /** Platform names of the Secrets it reads beside those of every suite pod. @default none */
  readonly secrets?: readonly string[];
  /** One a node where there are several. @default false */
  readonly spread?: boolean;
  /** On the node of a web pod, which a volume with a single writer needs. @default false */
  readonly besideWeb?: boolean;
}

/** Pods that run the suite's PHP: web, background jobs and configuration have one user, environment, configuration and volume. */
export function suitePod(args: ResolvedSuite, request: SuitePodRequest): PodTemplateSpec {
  const { container, ...pod } = request;
  const template = podTemplate(
    {
      name: pod.name,
      partOf,
      user: suiteUser,
      group: suiteUser,
      containers: [
        {
          ...container,
          name: pod.name,
          image: images(args).web,
          env: [...suiteEnvironment(args), ...bundleEnvironment(args), ...(container.env ?? [])],
          volumeMounts: [...suiteMounts(args), ...bundleMounts(args), ...(pod.mounts ?? [])],
        },
      ],
      initContainers: [...bundleInitContainers(args), ...(pod.initContainers ?? [])],
      volumes: [...suiteVolumes(), ...bundleVolumes(args), ...(pod.volumes ?? [])],
      gracePeriodSeconds: pod.gracePeriodSeconds,
      restartPolicy: pod.restartPolicy,
      sysctls: pod.sysctls,
      configuration: podConfiguration(args),
      secrets: [
        suiteNames.objectStoreCredentials,
        ...storeSecrets(args),
        ...appParts(args).flatMap(({ suiteSecrets = [] }) => suiteSecrets),
        ...(pod.secrets ?? []),
      ],
      spread: pod.spread,
    },
    args.platform,
  );
  return pod.besideWeb && !isShared(args) ? besideWeb(template) : template;
}

/** `template` on a node that runs a web pod. */
export function besideWeb(template: PodTemplateSpec): PodTemplateSpec {
  const term = {
    labelSelector: { matchLabels: selectorLabels(suiteNames.web) },
    topologyKey: "kubernetes.io/hostname",
  };
  const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  return { ...template, spec: template.spec && { ...template.spec, affinity } };
}
