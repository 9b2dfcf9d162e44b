import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { podTemplatePaths } from "@hearth-platform/hearth/kubernetes/pod-templates";
import type { Container } from "kubernetes-types/core/v1.d.ts";
import type { LabelSelector } from "kubernetes-types/meta/v1.d.ts";
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from "kubernetes-types/networking/v1.d.ts";

type Labels = Readonly<Record<string, string>>;

/** A pod, as far as network policies look at it. */
export interface Pod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  /** Of its containers, TCP. */
  readonly ports: readonly number[];
}

/** Pods of the workloads, and those that CloudNativePG makes: labels and ports of its release 1.27, pkg/utils/labels_annotations.go. */
export function podsOf(objects: readonly KubernetesObject[]): Pod[] {
  return objects.flatMap((object) => {
    const { name, namespace = "" } = object.metadata;
    if (object.kind === "Cluster")
      return [
        {
          name,
          namespace,
          labels: { "cnpg.io/cluster": name, "cnpg.io/podRole": "instance" },
          ports: [5432, 8000, 9187],
        },
      ];
    if (object.kind === "Pooler")
      return [{ name, namespace, labels: { "cnpg.io/poolerName": name }, ports: [5432, 9127] }];
    const [group = ""] = object.apiVersion.includes("/") ? object.apiVersion.split("/") : [];
    const path = podTemplatePaths[group ? `${group}/${object.kind}` : object.kind];
    const template =
      path && (at(object, path) as { metadata?: { labels?: Labels }; spec: { containers: Container[] } });
    if (!template) return [];
    const ports = template.spec.containers.flatMap((container) =>
      (container.ports ?? []).map((port) => port.containerPort),
    );
    return [{ name, namespace, labels: template.metadata?.labels ?? {}, ports }];
  });
}

/**
 * Whether the policies let `from` connect to `to`, by TCP port: https://kubernetes.io/docs/concepts/services-networking/network-policies/
 * What is the same for all ports is found once.
 */
export function connection(policies: readonly NetworkPolicy[], from: Pod, to: Pod): (port: number) => boolean {
  const leaving = policies.filter((policy) => applies(policy, from, "Egress"));
  const arriving = policies.filter((policy) => applies(policy, to, "Ingress"));
  const ways = (
    here: readonly NetworkPolicy[],
    admitted: (policy: NetworkPolicy) => (NetworkPolicyPort[] | undefined)[],
  ) => {
    const ports = here.flatMap(admitted);
    return (port: number) => here.length === 0 || ports.some((each) => admitsPort(each, port));
  };
  const leaves = ways(leaving, (policy) =>
    (policy.spec?.egress ?? []).flatMap((rule) => (admits(rule.to, policy, to) ? [rule.ports] : [])),
  );
  const arrives = ways(arriving, (policy) =>
    (policy.spec?.ingress ?? []).flatMap((rule) => (admits(rule.from, policy, from) ? [rule.ports] : [])),
  );
  return (port) => leaves(port) && arrives(port);
}

function applies({ metadata, spec }: NetworkPolicy, pod: Pod, direction: string): boolean {
  return (
    metadata?.namespace === pod.namespace &&
    (spec?.policyTypes ?? []).includes(direction) &&
    matches(spec?.podSelector ?? {}, pod.labels)
  );
}

/** Pods of others around stacks `dev` and `prod`, by the labels that policies know them by. */
export const neighbours: readonly Pod[] = (
  [
    ["ingress", "traefik", { "app.kubernetes.io/name": "traefik" }],
    ["prometheus", "monitoring", { "app.kubernetes.io/name": "prometheus" }],
    ["database-operator", "cnpg-system", { "app.kubernetes.io/name": "cloudnative-pg" }],
    ["dns", "kube-system", { "k8s-app": "kube-dns" }],
    ["ci-job", "platform-jobs", {}],
  ] as const
).map(([name, namespace, labels]) => ({ name, namespace, labels, ports: [] }));

/** Whether a rule of a policy names a pod. A block of addresses does. */
export function admits(peers: readonly NetworkPolicyPeer[] | undefined, policy: NetworkPolicy, pod: Pod): boolean {
  return (
    peers === undefined ||
    peers.some(({ ipBlock, namespaceSelector, podSelector }) => {
      // Pods have addresses too: whether a block holds them can't be known, so it does.
      if (ipBlock) return true;
      const inNamespace = namespaceSelector
        ? matches(namespaceSelector, { "kubernetes.io/metadata.name": pod.namespace })
        : policy.metadata?.namespace === pod.namespace;
      return inNamespace && matches(podSelector ?? {}, pod.labels);
    })
  );
}

function admitsPort(ports: readonly NetworkPolicyPort[] | undefined, port: number): boolean {
  return ports === undefined || ports.some((each) => (each.protocol ?? "TCP") === "TCP" && each.port === port);
}

export function matches({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === "Exists") return value !== undefined;
      if (operator === "DoesNotExist") return value === undefined;
      if (operator === "In") return value !== undefined && values.includes(value);
      if (operator === "NotIn") return value === undefined || !values.includes(value);
      throw new Error(`The operator ${operator} is none of a label selector's.`);
    })
  );
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}
