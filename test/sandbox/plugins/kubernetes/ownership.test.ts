import { ApiError } from "@hearth-platform/sandbox/kubernetes/api";
import type { KubernetesObject, ManagedFields } from "@hearth-platform/sandbox/kubernetes/objects";
import { mergeManagers, takeOverFields } from "@hearth-platform/sandbox/plugins/kubernetes/managed-fields";
import type { Cluster } from "@hearth-platform/sandbox/plugins/kubernetes/session";
import { keepIgnored } from "@hearth-platform/sandbox/plugins/kubernetes/update";
import { expect, test } from "vitest";

const entry = (
  manager: string,
  operation: ManagedFields["operation"],
  fieldsV1: object,
  subresource?: string,
): ManagedFields => ({
  manager,
  operation,
  fieldsV1: { ...fieldsV1 },
  ...(subresource && { subresource }),
});

test("what was created belongs to the manager that applies, which keeps what it had", () => {
  const others = [
    entry("kubelet", "Update", { "f:status": {} }, "status"),
    entry("hpa", "Update", { "f:spec": { "f:replicas": {} } }),
  ];
  const created = entry("pulumi-kubernetes", "Update", { "f:data": { "f:a": {} } });
  expect(mergeManagers([created, ...others], "ours")).toEqual([
    ...others,
    entry("ours", "Apply", { "f:data": { "f:a": {} } }),
  ]);
  const ours = entry("ours", "Apply", { "f:data": { "f:b": {} } });
  expect(mergeManagers([created, ours], "ours")).toEqual([
    entry("ours", "Apply", { "f:data": { "f:a": {}, "f:b": {} } }),
  ]);
  expect(mergeManagers(others, "ours")).toBe(others);
});

test.each(["kubectl-client-side-apply", "kubectl-patch", "kubectl-edit", "kubectl"])(
  "what %s set becomes ours",
  (manager) => {
    const set = entry(manager, "Update", { "f:data": { "f:a": {} } });
    expect(mergeManagers([set], "ours")).toEqual([entry("ours", "Apply", { "f:data": { "f:a": {} } })]);
  },
);

const object = (fields: object, managedFields: ManagedFields[] = []): KubernetesObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", managedFields },
  ...fields,
});

test("an ignored field keeps the server's value, and is left to another manager that owns it", () => {
  const inputs = object({ spec: { replicas: 1, paused: true } });
  const ownedByUs = object({ spec: { replicas: 5 } }, [entry("ours", "Apply", { "f:spec": { "f:replicas": {} } })]);
  expect(keepIgnored(inputs, ownedByUs, ["spec.replicas"], "ours").spec).toEqual({ replicas: 5, paused: true });
  const ownedByOthers = object({ spec: { replicas: 5 } }, [entry("hpa", "Update", { "f:spec": { "f:replicas": {} } })]);
  expect(keepIgnored(inputs, ownedByOthers, ["spec.replicas"], "ours").spec).toEqual({ paused: true });
  expect(keepIgnored(inputs, object({}), ["spec.replicas"], "ours").spec).toEqual({ replicas: 1, paused: true });
});

/** A cluster with one object, which a controller writes before each of the first `writes` patches. */
function busyCluster(writes: number) {
  const live = (version: number) => {
    const created = object({}, [entry("pulumi-kubernetes", "Update", { "f:spec": {} })]);
    return { ...created, metadata: { ...created.metadata, resourceVersion: String(version) } };
  };
  let version = 1;
  let left = writes;
  const api = {
    get: async () => live(version),
    request: async (_method: string, _path: string, { body }: { body: { path: string; value: unknown }[] }) => {
      if (left-- > 0) version++;
      const sent = body.find(({ path }) => path === "/metadata/resourceVersion");
      if (sent?.value !== String(version)) throw new ApiError(409, { reason: "Conflict", message: "was modified" });
      return { ...live(version), metadata: { ...live(version).metadata, managedFields: body[0]?.value } };
    },
  };
  const cluster = { api, discovery: { path: async () => "/apis/apps/v1/namespaces/x/deployments/web" } };
  return { live: live(version), cluster: cluster as unknown as Cluster };
}

test("fields are handed over although a controller writes the object four times in between", async () => {
  const { live, cluster } = busyCluster(4);
  const { metadata } = await takeOverFields(cluster, live, "ours", new AbortController().signal);
  expect(metadata.managedFields).toEqual([entry("ours", "Apply", { "f:spec": {} })]);
});

test("an object that is written before each of five tries ends the hand-over with the server's conflict", async () => {
  const { live, cluster } = busyCluster(5);
  await expect(takeOverFields(cluster, live, "ours", new AbortController().signal)).rejects.toThrow("was modified");
});
