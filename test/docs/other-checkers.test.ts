import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { containerKeys, podTemplatePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import { stackPlans } from "@hearth-platform/stack/parts";
import type { Deployment, StatefulSet } from "kubernetes-types/apps/v1.d.ts";
import type { Container, PodSpec, PodTemplateSpec, Probe, Service } from "kubernetes-types/core/v1.d.ts";
import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.d.ts";
import { expect, test } from "vitest";
import { readPage } from "../support/shown-by.ts";
import { checkFiles, committedStack } from "../support/stack-files.ts";

/** The numbers of docs/explanation/other-checkers.md are those of stack `prod`, by what each check asks for. */

const { stack, problems } = checkFiles(committedStack("prod"));
if (!stack) throw new Error(JSON.stringify(problems));
const objects = stackPlans(stack).flatMap((plan) => plan.objects.map(({ object }) => object));

interface Pod {
  readonly object: KubernetesObject;
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  readonly containers: readonly Container[];
}

const pods = objects.flatMap((object): Pod[] => {
  const group = object.apiVersion.includes("/") ? `${object.apiVersion.split("/")[0]}/` : "";
  const path = podTemplatePaths[`${group}${object.kind}`];
  if (!path) return [];
  const { spec, metadata } = path.reduce<unknown>(below, object) as PodTemplateSpec & { spec: PodSpec };
  const containers = containerKeys.flatMap((key) => (spec[key] ?? []) as Container[]);
  return [{ object, kind: object.kind, labels: metadata?.labels ?? {}, spec, containers }];
});

function below(value: unknown, key: string): unknown {
  return (value as KubernetesObject & Record<string, unknown>)[key];
}

const some = (is: (container: Container, pod: Pod) => boolean) => (pod: Pod) =>
  pod.containers.some((container) => is(container, pod));
const serves = ({ kind }: Pod) => kind === "Deployment" || kind === "StatefulSet";

const ofKind = <T>(kind: string) => objects.filter((object) => object.kind === kind) as unknown as T[];
const services = ofKind<Service>("Service");
const selects = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Pod["labels"]) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values = [] }) => {
    const isThere = labels[key] !== undefined;
    if (operator === "Exists" || operator === "DoesNotExist") return isThere === (operator === "Exists");
    return (isThere && values.includes(String(labels[key]))) === (operator === "In");
  });
const isServed = ({ object, labels }: Pod) =>
  services.some(
    ({ metadata, spec }) =>
      metadata?.namespace === object.metadata.namespace && selects({ matchLabels: spec?.selector ?? {} }, labels),
  );
const deployment = ({ object }: Pod) =>
  object.kind === "Deployment" ? (object as unknown as Deployment).spec : undefined;
const asked = ({ httpGet, tcpSocket, exec }: Probe) => JSON.stringify([httpGet, tcpSocket, exec]);
const isHeadless = ({ metadata, spec }: StatefulSet) =>
  services.some(
    (service) =>
      service.metadata?.name === spec?.serviceName &&
      service.metadata?.namespace === metadata?.namespace &&
      service.spec?.clusterIP === "None",
  );

const lowUser = some(
  ({ securityContext }, { spec }) => (securityContext?.runAsUser ?? spec.securityContext?.runAsUser ?? 0) < 10_000,
);
const writable = some(({ securityContext }) => securityContext?.readOnlyRootFilesystem !== true);
const notAlways = some(({ imagePullPolicy }) => imagePullPolicy !== "Always");

/** What a check finds fault with, of pods. */
const faults: Readonly<Record<string, (pod: Pod) => boolean>> = {
  "container-ephemeral-storage-request-and-limit": some(({ resources }) => !resources?.limits?.["ephemeral-storage"]),
  "container-image-pull-policy": notAlways,
  "container-security-context-user-group-id": lowUser,
  "container-security-context-readonlyrootfilesystem": writable,
  "pod-probes-identical": some(
    ({ readinessProbe, livenessProbe }) =>
      readinessProbe !== undefined &&
      readinessProbe.grpc === undefined &&
      livenessProbe !== undefined &&
      asked(readinessProbe) === asked(livenessProbe),
  ),
  "deployment-has-host-podantiaffinity": (pod) => (deployment(pod)?.replicas ?? 0) > 1 && !pod.spec.affinity,
  "deployment-replicas": (pod) => deployment(pod)?.replicas === 1 && isServed(pod),
  "deployment-strategy": (pod) => deployment(pod)?.strategy?.type === "Recreate" && isServed(pod),
  CKV_K8S_43: some(({ image }) => !image?.includes("@sha256:")),
  CKV_K8S_15: notAlways,
  CKV_K8S_40: lowUser,
  CKV_K8S_35: some(({ env = [] }) => env.some(({ valueFrom }) => valueFrom?.secretKeyRef !== undefined)),
  CKV_K8S_22: writable,
  CKV_K8S_38: ({ spec }) => spec.automountServiceAccountToken !== false,
  CKV_K8S_8: (pod) => serves(pod) && pod.spec.containers.some(({ livenessProbe }) => !livenessProbe),
  CKV_K8S_9: (pod) => serves(pod) && pod.spec.containers.some(({ readinessProbe }) => !readinessProbe),
  CKV_K8S_20: some(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false),
  CKV_K8S_25: some(({ securityContext }) => (securityContext?.capabilities?.add ?? []).length > 0),
};

/** And of other objects. */
const others: Readonly<Record<string, readonly object[]>> = {
  "networkpolicy-targets-pod": ofKind<NetworkPolicy>("NetworkPolicy").filter(
    ({ metadata, spec }) =>
      !pods.some(
        ({ object, labels }) =>
          object.metadata.namespace === metadata?.namespace && selects(spec?.podSelector ?? {}, labels),
      ),
  ),
  "statefulset-has-servicename": ofKind<StatefulSet>("StatefulSet").filter((set) => !isHeadless(set)),
};
const count = (check: string) => (others[check] ?? pods.filter((pod) => faults[check]?.(pod))).length;

const page = readPage("other-checkers.md");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => {
    const [checks = "", found = ""] = line.slice(2, -2).split(" | ");
    return [...checks.matchAll(/`([\w-]+)`/g)].map(([, check = ""]) => [check, Number.parseInt(found, 10)] as const);
  });

test("every check of the page finds as many objects of stack prod as it says", () => {
  expect(rows.length).toBeGreaterThanOrEqual(20);
  expect(rows).toEqual(rows.map(([check]) => [check, count(check)]));
});

test.each(["checkov", "kube-score"])("what the page says of all faults of %s is the sum of its rows", (checker) => {
  const [, all, kinds] = /finds (\d+) faults of (\d+) kinds/.exec(page.split(`## ${checker}`)[1] ?? "") ?? [];
  const own = rows.filter(([check]) => check.startsWith("CKV_") === (checker === "checkov"));
  expect([Number(all), Number(kinds)]).toEqual([own.reduce((sum, [, found]) => sum + found, 0), own.length]);
});
