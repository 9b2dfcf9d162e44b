import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { containerKeys, podTemplatePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import { stackPlans } from "@hearth-platform/stack/parts";
import type { Container, PodSpec } from "kubernetes-types/core/v1.d.ts";
import { expect, test } from "vitest";
import { readPage } from "../support/shown-by.ts";
import { checkFiles, committedStack } from "../support/stack-files.ts";

/** The numbers of docs/explanation/other-checkers.md are those of stack `prod`, by what each check asks for. */

const { stack, problems } = checkFiles(committedStack("prod"));
if (!stack) throw new Error(JSON.stringify(problems));
const objects = stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));

interface Pod {
  readonly kind: string;
  readonly spec: PodSpec;
  readonly containers: readonly Container[];
}

const pods = objects.flatMap((object): Pod[] => {
  const group = object.apiVersion.includes("/") ? `${object.apiVersion.split("/")[0]}/` : "";
  const path = podTemplatePaths[`${group}${object.kind}`];
  if (!path) return [];
  const { spec } = path.reduce<unknown>(below, object) as { spec: PodSpec };
  const containers = containerKeys.flatMap((key) => (spec[key] ?? []) as Container[]);
  return [{ kind: object.kind, spec, containers }];
});

function below(value: unknown, key: string): unknown {
  return (value as KubernetesObject & Record<string, unknown>)[key];
}

const some = (is: (container: Container, pod: Pod) => boolean) => (pod: Pod) =>
  pod.containers.some((container) => is(container, pod));
const serves = ({ kind }: Pod) => kind === "Deployment" || kind === "StatefulSet";

/** What a check finds fault with. */
const faults: Readonly<Record<string, (pod: Pod) => boolean>> = {
  CKV_K8S_43: some(({ image }) => !image?.includes("@sha256:")),
  CKV_K8S_15: some(({ imagePullPolicy }) => imagePullPolicy !== "Always"),
  CKV_K8S_40: some(
    ({ securityContext }, { spec }) => (securityContext?.runAsUser ?? spec.securityContext?.runAsUser ?? 0) < 10_000,
  ),
  CKV_K8S_35: some(({ env = [] }) => env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined)),
  CKV_K8S_22: some(({ securityContext }) => securityContext?.readOnlyRootFilesystem !== true),
  CKV_K8S_38: ({ spec }) => spec.automountServiceAccountToken !== false,
  CKV_K8S_8: (pod) => serves(pod) && pod.spec.containers.some(({ livenessProbe }) => !livenessProbe),
  CKV_K8S_9: (pod) => serves(pod) && pod.spec.containers.some(({ readinessProbe }) => !readinessProbe),
  CKV_K8S_20: some(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false),
  CKV_K8S_25: some(({ securityContext }) => (securityContext?.capabilities?.add ?? []).length > 0),
};

const page = readPage("other-checkers.md");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => {
    const [checks = "", count = ""] = line.slice(2, -2).split(" | ");
    return [...checks.matchAll(/`([\w-]+)`/g)].map(([, check = ""]) => [check, Number.parseInt(count, 10)] as const);
  });

test("every check of the page finds as many objects of stack prod as it says", () => {
  expect(rows.length).toBeGreaterThanOrEqual(10);
  expect(rows).toEqual(rows.map(([check]) => [check, pods.filter((pod) => faults[check]?.(pod)).length]));
});

test("what the page says of all faults is the sum of its rows", () => {
  const [, all, kinds] = /finds (\d+) faults of (\d+) kinds/.exec(page) ?? [];
  const ofCheckov = rows.filter(([check]) => check.startsWith("CKV_"));
  expect([Number(all), Number(kinds)]).toEqual([
    ofCheckov.reduce((sum, [, count]) => sum + count, 0),
    ofCheckov.length,
  ]);
});
