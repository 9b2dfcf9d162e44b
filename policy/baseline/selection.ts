import type { Field } from "../core/field.ts";
import { podTemplateOf, workloadKinds } from "../core/pods.ts";
import type { PolicyResource } from "../core/resource.ts";

/** The value of a label that differs from pod to pod. */
const anyValue = Symbol("any value");

/** Labels of pods, as far as they are known before there are pods. */
export type PodLabels = ReadonlyMap<string, unknown>;

/** The pods a resource makes, as selectors see them. */
export interface Pods {
  readonly resource: PolicyResource;
  readonly namespace: string;
  readonly labels: PodLabels;
  /** Absent where an operator decides. */
  readonly containers?: readonly Field[];
}

/** Kinds that make pods whose labels are known. */
export const podKinds: readonly string[] = [
  ...workloadKinds,
  "postgresql.cnpg.io/Cluster",
  "postgresql.cnpg.io/Pooler",
  "cert-manager.io/Certificate",
  "gateway.networking.k8s.io/Gateway",
];

/** Namespace of an object, which is `default` where it names none. */
export function namespaceOf(resource: PolicyResource): string {
  return resource.namespace ?? "default";
}

/** The pods of a resource of `podKinds`; none of any other. */
export function podsOf(resource: PolicyResource): Pods | undefined {
  const namespace = namespaceOf(resource);
  const template = podTemplateOf(resource);
  if (template) {
    const spec = template.get("spec");
    const containers = [...spec.get("containers").items, ...sidecars(spec)];
    const own = labelsIn(template.get("metadata", "labels"));
    return { resource, namespace, labels: new Map([...own, ...controllerLabels(resource)]), containers };
  }
  const labels = operatorLabels(resource);
  return labels && { resource, namespace, labels };
}

/** Labels that Kubernetes' own controllers add to pods, with a different value for each pod. */
function controllerLabels({ kind }: PolicyResource): [string, unknown][] {
  const keys: Readonly<Record<string, readonly string[]>> = {
    StatefulSet: ["statefulset.kubernetes.io/pod-name", "apps.kubernetes.io/pod-index", "controller-revision-hash"],
    DaemonSet: ["controller-revision-hash"],
    Deployment: ["pod-template-hash"],
    Job: ["batch.kubernetes.io/job-name", "job-name"],
    CronJob: ["batch.kubernetes.io/job-name", "job-name"],
  };
  return (keys[kind] ?? []).map((key) => [key, anyValue]);
}

/** Init containers that run on beside the others. */
function sidecars(spec: Field): readonly Field[] {
  return spec.get("initContainers").items.filter((container) => container.get("restartPolicy").value === "Always");
}

/** Labels that operators set on their pods: CloudNativePG (its docs/labels_annotations.md), cert-manager those that prove a host by HTTP-01, Istio and NGINX those of a Gateway's proxy. */
function operatorLabels(resource: PolicyResource): PodLabels | undefined {
  const name = resource.name;
  if (resource.groupKind === "postgresql.cnpg.io/Cluster")
    return new Map<string, unknown>([
      ...recommendedLabels(name, "database"),
      ["app.kubernetes.io/version", anyValue],
      ...labelsIn(resource.get("spec", "inheritedMetadata", "labels")),
      ["cnpg.io/cluster", name],
      ["cnpg.io/podRole", "instance"],
      ["cnpg.io/instanceName", anyValue],
      ["cnpg.io/instanceRole", anyValue],
      ["role", anyValue],
    ]);
  if (resource.groupKind === "postgresql.cnpg.io/Pooler") {
    const cluster = resource.get("spec", "cluster", "name").text;
    return new Map<string, unknown>([
      ...labelsIn(resource.get("spec", "template", "metadata", "labels")),
      ...recommendedLabels(cluster, "pooler"),
      ["cnpg.io/poolerName", name],
      ["cnpg.io/cluster", cluster],
      ["cnpg.io/podRole", "pooler"],
    ]);
  }
  if (resource.groupKind === "cert-manager.io/Certificate")
    return new Map<string, unknown>([
      ["acme.cert-manager.io/http01-solver", "true"],
      ["acme.cert-manager.io/http-domain", anyValue],
      ["acme.cert-manager.io/http-token", anyValue],
    ]);
  if (resource.groupKind === "gateway.networking.k8s.io/Gateway")
    return new Map<string, unknown>([["gateway.networking.k8s.io/gateway-name", name]]);
  return undefined;
}

/** Kubernetes' recommended labels, as CloudNativePG gives them to pods of a cluster. */
function recommendedLabels(cluster: string | undefined, component: string): [string, unknown][] {
  return [
    ["app.kubernetes.io/name", "postgresql"],
    ["app.kubernetes.io/instance", cluster],
    ["app.kubernetes.io/component", component],
    ["app.kubernetes.io/managed-by", "cloudnative-pg"],
  ];
}

/** A map of labels. */
export function labelsIn(map: Field): PodLabels {
  return new Map(map.entries.map(([key, label]) => [key, label.value]));
}

/** Whether a plain map of labels, as a Service's selector is, selects pods. An empty one selects none. */
export function mapSelects(selector: Field, labels: PodLabels): boolean {
  const { entries } = selector;
  return entries.length > 0 && entries.every(([key, wanted]) => has(labels, key, [wanted.value]));
}

/** Whether a LabelSelector selects pods. An empty one selects all. */
export function selects(selector: Field, labels: PodLabels): boolean {
  return (
    selector.get("matchLabels").entries.every(([key, wanted]) => has(labels, key, [wanted.value])) &&
    selector.get("matchExpressions").items.every((expression) => holds(expression, labels))
  );
}

/** Whether a LabelSelector names no label, and so selects all. */
export function selectsAll(selector: Field): boolean {
  return selector.get("matchLabels").entries.length === 0 && selector.get("matchExpressions").items.length === 0;
}

function holds(expression: Field, labels: PodLabels): boolean {
  const key = expression.get("key").text ?? "";
  const values = expression.get("values").items.map(({ value }) => value);
  switch (expression.get("operator").value) {
    case "In":
      return has(labels, key, values);
    case "NotIn":
      return labels.get(key) === anyValue || !has(labels, key, values);
    case "Exists":
      return labels.has(key);
    case "DoesNotExist":
      return !labels.has(key);
    default:
      return false;
  }
}

function has(labels: PodLabels, key: string, values: readonly unknown[]): boolean {
  const label = labels.get(key);
  return label === anyValue || (label !== undefined && values.includes(label));
}
