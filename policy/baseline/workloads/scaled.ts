import type { Field } from "../../core/field.ts";
import type { PolicyResource } from "../../core/resource.ts";
import { namespaceOf } from "../selection.ts";

/** Where each kind says how many pods it has; absent: one. */
const replicaPaths: Readonly<Record<string, readonly string[]>> = {
  "apps/Deployment": ["spec", "replicas"],
  "apps/StatefulSet": ["spec", "replicas"],
  "postgresql.cnpg.io/Cluster": ["spec", "instances"],
  "postgresql.cnpg.io/Pooler": ["spec", "instances"],
};

/** Kinds with a number of replicas. */
export const scaledKinds: readonly string[] = Object.keys(replicaPaths);

/** Where a resource of `scaledKinds` says how many pods it has. */
export function replicasField(resource: PolicyResource): Field {
  return resource.get(...(replicaPaths[resource.groupKind] ?? []));
}

/** Pods a resource has at least: its own number, or the least of an autoscaler that scales it. */
export function leastReplicas(resource: PolicyResource, autoscalers: readonly PolicyResource[]): number {
  const autoscaler = autoscalers.find((each) => scales(each, resource));
  const field = autoscaler ? autoscaler.get("spec", "minReplicas") : replicasField(resource);
  return field.number ?? 1;
}

/** Whether an autoscaler names the resource. */
function scales(autoscaler: PolicyResource, resource: PolicyResource): boolean {
  const target = autoscaler.get("spec", "scaleTargetRef");
  return (
    namespaceOf(autoscaler) === namespaceOf(resource) &&
    target.get("kind").text === resource.kind &&
    target.get("name").text === resource.name
  );
}
