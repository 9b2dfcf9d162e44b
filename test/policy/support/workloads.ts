import { type Fixture, object } from "./fixtures.ts";

type Options = Parameters<typeof object>[1];
type Tree = Record<string, unknown>;

/** Where each kind keeps its pods' description. */
const kinds = {
  Pod: "v1",
  Deployment: "apps/v1",
  StatefulSet: "apps/v1",
  DaemonSet: "apps/v1",
  Job: "batch/v1",
  CronJob: "batch/v1",
} as const;

/** A workload of the kind with pods of that spec. */
export function workload(kind: keyof typeof kinds, spec: Tree, options: Options = {}): Fixture {
  return object(workloadObject(kind, spec), options);
}

/** The object itself. @param more further fields of its spec */
export function workloadObject(kind: keyof typeof kinds, spec: Tree, more: Tree = {}) {
  const metadata = { name: "example", namespace: "team" };
  const labels = { "app.kubernetes.io/name": "example" };
  const template = { metadata: { labels }, spec };
  const content: Tree =
    kind === "Pod" ? spec : kind === "CronJob" ? { jobTemplate: { spec: { template } } } : { template };
  return { apiVersion: kinds[kind], kind, metadata, spec: { ...content, ...more } };
}

/** An autoscaler of the workload. */
export function autoscaler(
  name: string,
  replicas: { minReplicas?: number; maxReplicas?: number },
  options: Options = {},
) {
  const spec = { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name }, ...replicas };
  return object(
    { apiVersion: "autoscaling/v2", kind: "HorizontalPodAutoscaler", metadata: { name, namespace: "team" }, spec },
    options,
  );
}

/** KEDA's autoscaler of the workload. */
export function scaledObject(
  name: string,
  replicas: { minReplicaCount?: number; maxReplicaCount?: number },
  options: Options = {},
) {
  const spec = { scaleTargetRef: { name }, triggers: [{ type: "cpu" }], ...replicas };
  return object(
    { apiVersion: "keda.sh/v1alpha1", kind: "ScaledObject", metadata: { name, namespace: "team" }, spec },
    options,
  );
}

/** Argo's workload of the name, or of the Deployment that it takes over. */
export function rollout(name: string, spec: Tree, options: Options = {}) {
  return object(
    { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", metadata: { name, namespace: "team" }, spec },
    options,
  );
}

/** Path of the pods' spec in a Deployment. */
export const podSpec = "spec.template.spec";
/** The same in a CronJob. */
export const cronPodSpec = "spec.jobTemplate.spec.template.spec";
