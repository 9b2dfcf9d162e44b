import type { KubernetesObject } from "../core/plan.ts";

/** Where each kind of workload keeps the description of its pods. */
export const podTemplatePaths: Readonly<Record<string, readonly string[]>> = {
  Pod: [],
  "apps/Deployment": ["spec", "template"],
  "apps/StatefulSet": ["spec", "template"],
  "apps/DaemonSet": ["spec", "template"],
  "apps/ReplicaSet": ["spec", "template"],
  ReplicationController: ["spec", "template"],
  PodTemplate: ["template"],
  "batch/Job": ["spec", "template"],
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template"],
};

/** Where an operator's resource names an image; absent there, the operator's release pins one. */
export const operatorImagePaths: Readonly<Record<string, readonly string[]>> = {
  "postgresql.cnpg.io/Cluster": ["spec", "imageName"],
  "postgresql.cnpg.io/Pooler": ["spec", "pgbouncer", "image"],
};

/** Keys of the containers of a pod: those that run first, the others, and those a person adds to look into a pod. */
export const containerKeys = ["initContainers", "containers", "ephemeralContainers"] as const;

/** Images that a planned object names: its containers', its volumes', its operator's. */
export function imagesOf(object: KubernetesObject): string[] {
  const kind = object.apiVersion.includes("/") ? `${object.apiVersion.split("/")[0]}/${object.kind}` : object.kind;
  const operatorPath = operatorImagePaths[kind];
  if (operatorPath) return texts([at(object, operatorPath)]);
  const path = podTemplatePaths[kind];
  const spec = path && at(object, [...path, "spec"]);
  return texts([
    ...containerKeys.flatMap((key) => items(at(spec, [key])).map((container) => at(container, ["image"]))),
    ...items(at(spec, ["volumes"])).map((volume) => at(volume, ["image", "reference"])),
  ]);
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

function items(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function texts(values: readonly unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}
