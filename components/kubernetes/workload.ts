import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { PodTemplateSpec, Service } from "kubernetes-types/core/v1.d.ts";
import type { ObjectMeta } from "kubernetes-types/meta/v1.d.ts";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1.d.ts";
import type { PlannedObject } from "../core/plan.ts";
import { selectorLabels } from "./pod.ts";

/** Metadata of a workload: its pods are selected by this name. */
export interface WorkloadMetadata extends ObjectMeta {
  readonly name: string;
}

/** A Deployment without its pod template. */
export interface DeploymentRequest {
  readonly metadata: WorkloadMetadata;
  readonly replicas: number;
  readonly template: PodTemplateSpec;
  /**
   * `RollingUpdate` takes no pod away before another serves; `Recreate` never runs two versions side by side.
   * @default RollingUpdate
   */
  readonly strategy?: "RollingUpdate" | "Recreate";
  /** Seconds a roll-out may go without progress before it has failed. @default Kubernetes' and Pulumi's own: 600 */
  readonly rolloutSeconds?: number;
}

/** A Deployment of pods made by `podTemplate` under the same name. */
export function deployment(request: DeploymentRequest) {
  const { metadata, replicas, template, strategy = "RollingUpdate", rolloutSeconds } = request;
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    // A little longer than the cluster itself, whose verdict says more than a time-out.
    metadata: rolloutSeconds ? { ...metadata, ...awaitedFor(rolloutSeconds + 300) } : metadata,
    spec: {
      replicas,
      strategy:
        strategy === "Recreate"
          ? { type: strategy }
          : { type: strategy, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      ...(rolloutSeconds && { progressDeadlineSeconds: rolloutSeconds }),
      selector: { matchLabels: selectorLabels(metadata.name) },
      template,
    },
  } satisfies Deployment;
}

/**
 * The Service of a workload's pods.
 * @param ports of the Service by name, which is the name of the container's port as well
 */
export function service(metadata: WorkloadMetadata, ports: Readonly<Record<string, number>>) {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: {
      selector: selectorLabels(metadata.name),
      ports: Object.entries(ports).map(([name, port]) => ({ name, port, targetPort: name, protocol: "TCP" })),
    },
  } satisfies Service;
}

/**
 * A budget that lets one pod at a time go when nodes are drained; none for a single pod, whose node could never be drained.
 * @param labels of the pods
 */
export function disruptionBudget(
  metadata: WorkloadMetadata,
  replicas: number,
  labels: Record<string, string> = selectorLabels(metadata.name),
): PlannedObject[] {
  if (replicas < 2) return [];
  const object = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata,
    spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
  } satisfies PodDisruptionBudget;
  return [{ object }];
}

/** How long `pulumi up` waits for an object to get ready, in seconds; the provider's own default is 600. */
export function awaitedFor(seconds: number) {
  return { annotations: { "pulumi.com/timeoutSeconds": String(seconds) } };
}
