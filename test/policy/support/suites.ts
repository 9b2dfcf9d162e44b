import type { SuiteLoad } from "@hearth-platform/hearth/limits/limit";
import { componentResource, type Fixture, object } from "./fixtures.ts";

type Options = Parameters<typeof object>[1];
type Tree = Record<string, unknown>;

/** A suite's component. @param name in the program */
export function suite(args: Tree, options: Options = {}, name = "example"): Fixture {
  return { resources: [componentResource("CloudSuite", args, name)], ...options };
}

/** A suite's component, and what it is meant to carry. Its name says that, so that one stack can have all of them. */
export function loadedSuite(load: SuiteLoad, args: Tree, options: Options = {}): Fixture {
  const name = Object.entries(load)
    .map(([of, count]) => `${count}-${of}`)
    .join("-");
  return suite(args, { stack: { loads: { [name]: load } }, ...options }, name);
}

/** Metadata of an object of a suite, as its label says. */
export function ofSuite(name: string) {
  return { name, namespace: "team", labels: { "app.kubernetes.io/part-of": "cloudsuite" } };
}

/** A workload of a suite, whose container has its name. @param more further fields of the container */
export function suiteWorkload(kind: "Deployment" | "StatefulSet", name: string, more: Tree, options: Options = {}) {
  const spec = { template: { spec: { containers: [{ name, ...more }] } } };
  return object({ apiVersion: "apps/v1", kind, metadata: ofSuite(name), spec }, options);
}

/** Path of that container. */
export const suiteContainer = "spec.template.spec.containers[0]";

/** A database cluster. */
export function cluster(
  spec: Tree,
  options: Options = {},
  metadata: object = { name: "forge-db", namespace: "platform" },
) {
  return object({ apiVersion: "postgresql.cnpg.io/v1", kind: "Cluster", metadata, spec }, options);
}

/** Requests and limits. */
export function amounts(cpu: unknown, memory: unknown, cpuLimit: unknown, memoryLimit: unknown) {
  return { requests: { cpu, memory }, limits: { cpu: cpuLimit, memory: memoryLimit } };
}

/** A claim to a volume of its own. */
export function claim(name: string, storageClassName: unknown, accessModes: unknown, storage: unknown = "10Gi") {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace: "team" },
    spec: { storageClassName, accessModes, resources: { requests: { storage } } },
  };
}
