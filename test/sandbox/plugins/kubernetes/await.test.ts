import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import type { Properties } from "@hearth-platform/sandbox/plugins/grpc";
import { ingress, service } from "@hearth-platform/sandbox/plugins/kubernetes/await/network";
import { job, pod, podProblems } from "@hearth-platform/sandbox/plugins/kubernetes/await/pods";
import type { Awaiter } from "@hearth-platform/sandbox/plugins/kubernetes/await/readiness";
import { persistentVolumeClaim, secret } from "@hearth-platform/sandbox/plugins/kubernetes/await/storage";
import { parseWaitFor } from "@hearth-platform/sandbox/plugins/kubernetes/await/wait-for";
import { daemonSet, deployment, statefulSet } from "@hearth-platform/sandbox/plugins/kubernetes/await/workloads";
import { describe, expect, test } from "vitest";

function live(kind: string, fields: Properties, metadata: Properties = {}): KubernetesObject {
  return { apiVersion: "v1", kind, metadata: { name: "x", namespace: "ns", generation: 2, ...metadata }, ...fields };
}

const isReady = (awaiter: Awaiter, object: KubernetesObject, related: Record<string, KubernetesObject> = {}) =>
  awaiter.judge({ live: object, related }).ready;

describe("a Deployment", () => {
  const condition = (type: string, status: string, reason = "", message = "") => ({ type, status, reason, message });
  const available = condition("Available", "True");
  const progressed = condition("Progressing", "True", "NewReplicaSetAvailable");
  const rolledOut = {
    observedGeneration: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    conditions: [available, progressed],
  };
  const of = (status: Properties, revision = "2") =>
    live(
      "Deployment",
      { spec: { replicas: 2 }, status },
      { annotations: { "deployment.kubernetes.io/revision": revision } },
    );

  test("is ready when its newest form is rolled out", () => {
    expect(isReady(deployment, of(rolledOut))).toBe(true);
  });
  test.each([
    ["its controller has not seen the change", { ...rolledOut, observedGeneration: 1 }],
    ["pods of the old template are left", { ...rolledOut, updatedReplicas: 1 }],
    ["a pod is not ready", { ...rolledOut, readyReplicas: 1 }],
    [
      "the new ReplicaSet is not there yet",
      { ...rolledOut, conditions: [available, condition("Progressing", "True", "ReplicaSetUpdated")] },
    ],
    ["it has no status", {}],
  ])("is not ready while %s", (_name, status) => {
    expect(isReady(deployment, of(status))).toBe(false);
  });
  test("does not wait for a new ReplicaSet at its first revision", () => {
    expect(isReady(deployment, of({ ...rolledOut, conditions: [available] }, "1"))).toBe(true);
  });
  test("says why it does not get on", () => {
    const conditions = [available, condition("Progressing", "False", "ProgressDeadlineExceeded", "it took too long")];
    const { reasons } = deployment.judge({ live: of({ ...rolledOut, updatedReplicas: 1, conditions }), related: {} });
    expect(reasons).toContain("[ProgressDeadlineExceeded] it took too long");
  });
  test("with no replicas is ready without pods", () => {
    const object = live("Deployment", {
      spec: { replicas: 0 },
      status: { observedGeneration: 2, conditions: [available, progressed] },
    });
    expect(isReady(deployment, object)).toBe(true);
  });
});

describe("a StatefulSet", () => {
  const status = {
    observedGeneration: 2,
    replicas: 1,
    readyReplicas: 1,
    currentReplicas: 1,
    currentRevision: "b",
    updateRevision: "b",
  };
  const of = (more: Properties, spec: Properties = {}) =>
    live("StatefulSet", { spec: { replicas: 1, ...spec }, status: { ...status, ...more } });
  test("is ready when all pods are, at the newest revision", () => {
    expect(isReady(statefulSet, of({}))).toBe(true);
    expect(isReady(statefulSet, of({ currentRevision: "a" }))).toBe(false);
    expect(isReady(statefulSet, of({ readyReplicas: 0 }))).toBe(false);
    expect(isReady(statefulSet, of({ observedGeneration: 1 }))).toBe(false);
  });
  test("whose pods are replaced by hand does not wait for the revision", () => {
    expect(isReady(statefulSet, of({ currentRevision: "a" }, { updateStrategy: { type: "OnDelete" } }))).toBe(true);
  });
});

test("a DaemonSet is ready when every node has an available pod of the newest template", () => {
  const status = {
    observedGeneration: 2,
    desiredNumberScheduled: 2,
    currentNumberScheduled: 2,
    updatedNumberScheduled: 2,
    numberAvailable: 2,
    numberReady: 2,
  };
  expect(isReady(daemonSet, live("DaemonSet", { status }))).toBe(true);
  expect(isReady(daemonSet, live("DaemonSet", { status: { ...status, updatedNumberScheduled: 1 } }))).toBe(false);
});

test("a Job is ready when complete, and fails at once when it failed", () => {
  const of = (type: string) =>
    live("Job", {
      status: { conditions: [{ type, status: "True", reason: "BackoffLimitExceeded", message: "too often" }] },
    });
  expect(isReady(job, of("Complete"))).toBe(true);
  expect(job.judge({ live: of("Failed"), related: {} })).toMatchObject({
    ready: false,
    failed: true,
    reasons: ["[BackoffLimitExceeded] too often"],
  });
  expect(isReady(job, live("Job", { status: { active: 1 } }))).toBe(false);
});

test("a Pod is ready when it says so or has ended well", () => {
  expect(isReady(pod, live("Pod", { status: { conditions: [{ type: "Ready", status: "True" }] } }))).toBe(true);
  expect(isReady(pod, live("Pod", { status: { phase: "Succeeded" } }))).toBe(true);
  expect(
    isReady(pod, live("Pod", { status: { phase: "Running", conditions: [{ type: "Ready", status: "False" }] } })),
  ).toBe(false);
});

test("a pod's problems are told in the scheduler's and the container runtime's words", () => {
  const unscheduled = live("Pod", {
    status: { conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes are available" }] },
  });
  expect(podProblems(unscheduled)).toEqual(["[Pod ns/x]: 0/1 nodes are available"]);
  const waiting = {
    name: "web",
    ready: false,
    state: { waiting: { reason: "ImagePullBackOff", message: "no such image" } },
  };
  expect(podProblems(live("Pod", { status: { containerStatuses: [waiting] } }))).toEqual([
    "[Pod ns/x]: [ImagePullBackOff] no such image",
  ]);
});

describe("a Service", () => {
  const clusterIp = live("Service", { spec: { selector: { app: "web" }, clusterIP: "10.0.0.1" } });
  const endpoints = (subset: Properties) => ({ endpoints: live("Endpoints", { subsets: [subset] }) });
  test("is ready when none of its endpoints is pending", () => {
    expect(isReady(service, clusterIp)).toBe(false);
    expect(isReady(service, clusterIp, endpoints({ addresses: [{ ip: "1" }] }))).toBe(true);
    expect(isReady(service, clusterIp, endpoints({ notReadyAddresses: [{ ip: "1" }] }))).toBe(false);
    expect(isReady(service, clusterIp, { endpoints: live("Endpoints", {}) })).toBe(true);
  });
  test("without selector, headless or as an alias has no endpoints to wait for", () => {
    expect(isReady(service, live("Service", { spec: {} }))).toBe(true);
    expect(isReady(service, live("Service", { spec: { selector: { a: "b" }, clusterIP: "None" } }))).toBe(true);
    expect(isReady(service, live("Service", { spec: { selector: { a: "b" }, type: "ExternalName" } }))).toBe(true);
  });
  test("of a load balancer, and an Ingress, waits for an address", () => {
    const status = { loadBalancer: { ingress: [{ ip: "1" }] } };
    expect(isReady(service, live("Service", { spec: { type: "LoadBalancer" } }))).toBe(false);
    expect(isReady(service, live("Service", { spec: { type: "LoadBalancer" }, status }))).toBe(true);
    expect(isReady(ingress, live("Ingress", {}))).toBe(false);
    expect(isReady(ingress, live("Ingress", { status }))).toBe(true);
  });
});

test("a claim is ready when bound, or accepted where its class waits for a pod", () => {
  const claim = (phase: string) =>
    live("PersistentVolumeClaim", { spec: { storageClassName: "block" }, status: { phase } });
  const waiting = { storageClass: live("StorageClass", { volumeBindingMode: "WaitForFirstConsumer" }) };
  expect(isReady(persistentVolumeClaim, claim("Bound"))).toBe(true);
  expect(isReady(persistentVolumeClaim, claim("Pending"))).toBe(false);
  expect(isReady(persistentVolumeClaim, claim("Pending"), waiting)).toBe(true);
  expect(isReady(persistentVolumeClaim, claim("Bound"), waiting)).toBe(true);
});

test("a service account's token Secret waits for its token, others for nothing", () => {
  expect(isReady(secret, live("Secret", { type: "Opaque" }))).toBe(true);
  expect(isReady(secret, live("Secret", { type: "kubernetes.io/service-account-token" }))).toBe(false);
  expect(
    isReady(secret, live("Secret", { type: "kubernetes.io/service-account-token", data: { token: "eA==" } })),
  ).toBe(true);
});

describe("what pulumi.com/waitFor waits for", () => {
  const thing = live("Cluster", {
    status: {
      phase: "Running",
      replicas: 3,
      conditions: [
        { type: "Ready", status: "True" },
        { type: "Paused", status: "False", message: "not asked to" },
      ],
    },
  });
  test.each([
    ["condition=Ready", true],
    ["condition=ready", true],
    ["condition=Ready=True", true],
    ["condition=Paused", false],
    ["condition=Paused=False", true],
    ["condition=Absent", false],
    ["jsonpath={.status.phase}=Running", true],
    ["jsonpath={.status.phase}=Pending", false],
    ["jsonpath={$.status.replicas}=3", true],
    ["jsonpath={ .status.phase }", true],
    ["jsonpath={.status.nothing}", false],
    ['jsonpath={.status.conditions[?(@.type=="Ready")].status}=True', true],
    ['["condition=Ready", "jsonpath={.status.phase}=Running"]', true],
    ['["condition=Ready", "condition=Paused"]', false],
  ])("is there, or not, by the object's fields: %s", (expression, ready) => {
    expect(parseWaitFor(expression)(thing).ready).toBe(ready);
  });
  test("does not take a condition of an older generation for the newest", () => {
    const stale = live("Cluster", {
      status: { observedGeneration: 1, conditions: [{ type: "Ready", status: "True" }], phase: "Running" },
    });
    expect(parseWaitFor("condition=Ready")(stale).ready).toBe(false);
    expect(parseWaitFor("jsonpath={.status.phase}=Running")(stale).ready).toBe(false);
  });
  test.each([
    ["Ready", 'expected a "jsonpath=" or "condition=" prefix'],
    ["[]", "at least one condition"],
    ["jsonpath=.status.phase=x", "should be wrapped in brackets"],
    ["jsonpath={.status.phase}=", "requires a value"],
  ])("refuses %s", (expression, message) => {
    expect(() => parseWaitFor(expression)).toThrow(message);
  });
});
