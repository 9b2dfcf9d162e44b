import { containerKeys, podTemplatePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import type { Field } from "./field.ts";
import type { Resource } from "./resource.ts";

/** All kinds that have pods. */
export const workloadKinds: readonly string[] = Object.keys(podTemplatePaths);

/** Kinds whose pods are replaced and scaled: the long-running ones. */
export const servingKinds: readonly string[] = ["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet"];

/** The pod a workload starts, with `metadata` and `spec`. @returns undefined for a resource that is no workload */
export function podTemplate(resource: Resource): Field | undefined {
  const path = podTemplatePaths[resource.groupKind];
  return path && resource.get(...path);
}

/** Containers of a workload's pods: those that run first, the others, and those a person adds to look into a pod. */
export function containers(resource: Resource): readonly Field[] {
  const spec = podTemplate(resource)?.get("spec");
  if (!spec) return [];
  return containerKeys.flatMap((key) => spec.get(key).items);
}
