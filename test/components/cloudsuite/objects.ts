import type { CloudSuiteArgs } from "@hearth-platform/hearth/cloudsuite/args";
import { cloudSuiteComponent } from "@hearth-platform/hearth/cloudsuite/component";
import { ownPlans } from "@hearth-platform/hearth/core/component";
import { objectId, type Plan } from "@hearth-platform/hearth/core/plan";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { CronJob, Job } from "kubernetes-types/batch/v1.d.ts";
import type { Container, PodSpec } from "kubernetes-types/core/v1.d.ts";

/** Looks into the objects of a suite's plan. */

/** What the suite makes itself, without its stores. */
export function ownPlan(args: CloudSuiteArgs): Plan {
  const [own] = ownPlans(cloudSuiteComponent.stages(args));
  return own;
}

/** The objects of it. */
export function ownObjects(args: CloudSuiteArgs) {
  return ownPlan(args).objects;
}

/** `Kind/name` of each. */
export function ids(args: CloudSuiteArgs): string[] {
  return ownObjects(args).map(({ object }) => objectId(object));
}

/** The one object of that kind and name. @throws Error where there is none */
export function find<T>(args: CloudSuiteArgs, kind: string, name: string | RegExp): T {
  const found = ownObjects(args).find(
    ({ object }) =>
      object.kind === kind &&
      (typeof name === "string" ? object.metadata.name === name : name.test(object.metadata.name)),
  );
  if (!found) throw new Error(`${kind}/${name} is missing; there are ${ids(args).join(", ")}.`);
  return found.object as T;
}

/** The pod of each workload. */
export const workloads = {
  web: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "cloudsuite").spec?.template.spec,
  office: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "office").spec?.template.spec,
  whiteboard: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "whiteboard").spec?.template.spec,
  push: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "push").spec?.template.spec,
  previews: (args: CloudSuiteArgs) => find<Deployment>(args, "Deployment", "previews").spec?.template.spec,
  cron: (args: CloudSuiteArgs) =>
    find<CronJob>(args, "CronJob", "cloudsuite-cron").spec?.jobTemplate.spec?.template.spec,
  backup: (args: CloudSuiteArgs) =>
    find<CronJob>(args, "CronJob", "cloudsuite-config-backup").spec?.jobTemplate.spec?.template.spec,
  configure: (args: CloudSuiteArgs) => find<Job>(args, "Job", /^cloudsuite-configure-/).spec?.template.spec,
};
/** Those that run the suite's PHP. */
export const suitePods = ["web", "cron", "configure"] as const;

/** The pod of a workload. */
export function pod(args: CloudSuiteArgs, workload: keyof typeof workloads): PodSpec {
  const spec = workloads[workload](args);
  if (!spec) throw new Error(`${workload} has no pod.`);
  return spec;
}

/** Its one container. */
export function container(args: CloudSuiteArgs, workload: keyof typeof workloads): Container {
  const [first] = pod(args, workload).containers;
  if (!first) throw new Error(`${workload} has no container.`);
  return first;
}

/** An environment variable of it: its value, or the key of the Secret it comes from. */
export function variable(args: CloudSuiteArgs, workload: keyof typeof workloads, name: string) {
  const found = container(args, workload).env?.find((entry) => entry.name === name);
  return found?.value ?? found?.valueFrom?.secretKeyRef;
}

/** Fields the API server would drop, so that every `up` would send them again. */
export function emptyPaths(value: unknown, path = ""): string[] {
  if (value === undefined || value === null || value === "") return [path];
  if (typeof value !== "object") return [];
  const entries = Object.entries(value);
  // An emptyDir without settings is stored as it is; a pod without annotations has none either way.
  if (entries.length === 0) return /\.(emptyDir|annotations)$/.test(path) ? [] : [path];
  return entries.flatMap(([key, child]) => emptyPaths(child, `${path}.${key}`));
}
