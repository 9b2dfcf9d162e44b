import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import type { Namespace } from "kubernetes-types/core/v1.d.ts";
import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";

/**
 * A Prometheus of the operator: what it takes. A selector that is missing takes nothing, an empty one takes all; of namespaces, a missing one
 * means its own. (prometheus-operator pkg/apis/monitoring/v1/prometheus_types.go)
 */
export interface PrometheusObject extends KubernetesObject {
  readonly spec?: {
    readonly podMonitorSelector?: LabelSelector;
    readonly podMonitorNamespaceSelector?: LabelSelector;
    readonly ruleSelector?: LabelSelector;
    readonly ruleNamespaceSelector?: LabelSelector;
  };
}

/** Its two fields for each kind, and the value of kube-prometheus-stack that empties the first. */
const selected = {
  PodMonitor: {
    objects: "podMonitorSelector",
    namespaces: "podMonitorNamespaceSelector",
    chart: "podMonitorSelectorNilUsesHelmValues",
  },
  PrometheusRule: {
    objects: "ruleSelector",
    namespaces: "ruleNamespaceSelector",
    chart: "ruleSelectorNilUsesHelmValues",
  },
} as const;
type Selected = keyof typeof selected;
type Labels = Readonly<Record<string, string>>;

/**
 * Whether a Prometheus of the cluster takes the stack's monitors and rules, and if not, what to write.
 * @param namespaces those of the cluster; the stack's own are among its objects
 */
export function prometheusFindings(
  objects: readonly KubernetesObject[],
  found: readonly PrometheusObject[] | "unseen",
  namespaces: readonly Namespace[],
): Finding[] {
  const { unknown } = findings("prometheus");
  const kinds = (Object.keys(selected) as Selected[]).filter((kind) => objects.some((each) => each.kind === kind));
  if (kinds.length === 0) return [];
  if (found === "unseen")
    return [unknown("Prometheus", "You may not list its objects, or the cluster has no operator for them.")];
  if (found.length === 0)
    return [
      unknown(
        "Prometheus",
        "The cluster has no object of kind Prometheus: if nothing else reads the monitors and rules, nobody is told of a fault.",
        "docs/how-to/monitoring.md sets one up. hearth:monitoring: false leaves monitors and rules out.",
      ),
    ];
  const labelsOf = namespaceLabels(objects, namespaces);
  return kinds.map((kind) => kindFinding(kind, objects, found, labelsOf));
}

function kindFinding(
  kind: Selected,
  objects: readonly KubernetesObject[],
  found: readonly PrometheusObject[],
  labelsOf: (namespace: string) => Labels,
): Finding {
  const { ok, warning } = findings("prometheus");
  const all = objects.filter((each) => each.kind === kind);
  const unseen = all.filter(({ metadata }) => !found.some((each) => takes(each, kind, metadata, labelsOf)));
  const names = found.map(nameOf).join(", ");
  if (unseen.length === 0) return ok(`${kind}s`, `${names} takes all ${all.length}.`);
  const shown = unseen.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  const more = shown.length > 3 ? ` and ${shown.length - 3} more` : "";
  return warning(
    `${kind}s`,
    `${names} does not take ${unseen.length} of ${all.length}: ${shown.slice(0, 3).join(", ")}${more}.`,
    [
      ...new Set(unseen.flatMap(({ metadata }) => remedies(found[0] as PrometheusObject, kind, metadata, labelsOf))),
    ].join(" "),
  );
}

type Metadata = KubernetesObject["metadata"];

function takes(prometheus: PrometheusObject, kind: Selected, metadata: Metadata, labelsOf: (name: string) => Labels) {
  const { objects } = selected[kind];
  return (
    matches(prometheus.spec?.[objects], metadata.labels ?? {}) && takesNamespace(prometheus, kind, metadata, labelsOf)
  );
}

function takesNamespace(
  { metadata: { namespace: own }, spec }: PrometheusObject,
  kind: Selected,
  { namespace = "" }: Metadata,
  labelsOf: (name: string) => Labels,
): boolean {
  const selector = spec?.[selected[kind].namespaces];
  return selector === undefined ? namespace === own : matches(selector, labelsOf(namespace));
}

/** What to write so that this Prometheus takes an object. */
function remedies(
  prometheus: PrometheusObject,
  kind: Selected,
  metadata: Metadata,
  labelsOf: (name: string) => Labels,
): string[] {
  const { objects, namespaces, chart } = selected[kind];
  const selector = prometheus.spec?.[objects];
  const named = nameOf(prometheus);
  const ofLabels = () => {
    if (matches(selector, metadata.labels ?? {})) return [];
    const labels = selector?.matchLabels;
    if (labels && !selector?.matchExpressions?.length)
      return [
        `Write hearth:monitoringLabels: ${JSON.stringify(labels)}, or set ${chart}: false in kube-prometheus-stack.`,
      ];
    return [`Set spec.${objects}: {} of Prometheus ${named}, or labels that it selects in hearth:monitoringLabels.`];
  };
  const ofNamespaces = takesNamespace(prometheus, kind, metadata, labelsOf)
    ? []
    : [`Set spec.${namespaces}: {} of Prometheus ${named}: it does not look into namespace ${metadata.namespace}.`];
  return [...ofLabels(), ...ofNamespaces];
}

/** Labels of each namespace as they are, and as the update will have them. The API server gives each its name as a label. */
function namespaceLabels(objects: readonly KubernetesObject[], namespaces: readonly Namespace[]) {
  const own = objects.filter(({ kind }) => kind === "Namespace");
  return (name: string): Labels => ({
    ...namespaces.find(({ metadata }) => metadata?.name === name)?.metadata?.labels,
    ...own.find(({ metadata }) => metadata.name === name)?.metadata.labels,
    "kubernetes.io/metadata.name": name,
  });
}

/** Whether a selector takes these labels; a missing one takes none, an empty one all. */
function matches(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === "Exists") return value !== undefined;
      if (operator === "DoesNotExist") return value === undefined;
      if (operator === "In") return value !== undefined && values.includes(value);
      return value === undefined || !values.includes(value);
    })
  );
}

function nameOf({ metadata: { namespace, name } }: PrometheusObject): string {
  return `${namespace}/${name}`;
}
