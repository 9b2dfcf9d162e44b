import type { KubernetesObject, ManagedFields } from "@hearth-platform/sandbox/kubernetes/objects";
import { mergeManagers } from "@hearth-platform/sandbox/plugins/kubernetes/managed-fields";
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
