import { applyingJob } from "@hearth-platform/hearth/kubernetes/job";
import { expect, test } from "vitest";

const request = {
  metadata: { name: "hub-settings", namespace: "platform", labels: {} },
  template: { spec: { restartPolicy: "Never", containers: [{ name: "settings", image: "example.org/hub:1" }] } },
  inputs: { file: "a" },
  deadlineSeconds: 600,
} as const satisfies Parameters<typeof applyingJob>[0];
const nameOf = (more: Partial<Parameters<typeof applyingJob>[0]> = {}) =>
  applyingJob({ ...request, ...more }).metadata.name;

test("a Job that applies settings tries six times within its deadline, for which an update waits", () => {
  expect(applyingJob(request)).toMatchObject({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { namespace: "platform", annotations: { "pulumi.com/timeoutSeconds": "600" } },
    spec: { backoffLimit: 5, activeDeadlineSeconds: 600, template: request.template },
  });
});

test("a Job that applies settings has another name when what it does is another, and the same otherwise", () => {
  expect(nameOf()).toMatch(/^hub-settings-[0-9a-f]{8}$/);
  expect(nameOf({ deadlineSeconds: 900 })).toBe(nameOf());
  const [container] = request.template.spec.containers;
  const another = { spec: { ...request.template.spec, containers: [{ ...container, image: "example.org/hub:2" }] } };
  expect(new Set([nameOf(), nameOf({ inputs: { file: "b" } }), nameOf({ template: another })]).size).toBe(3);
});
