import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import type { Namespace, PodSpec, ResourceQuota, ResourceRequirements } from "kubernetes-types/core/v1.d.ts";

const enforce = "pod-security.kubernetes.io/enforce";

/** Whether namespaces that are there have the level of pod security that the stack's pods are made for. */
export function podSecurityFindings(objects: readonly KubernetesObject[], namespaces: readonly Namespace[]): Finding[] {
  const { ok, warning } = findings("pod-security");
  return objects
    .filter(({ kind }) => kind === "Namespace")
    .flatMap(({ metadata }) => {
      const live = namespaces.find((each) => each.metadata?.name === metadata.name);
      if (!live) return [];
      const wanted = metadata.labels?.[enforce];
      const found = live.metadata?.labels?.[enforce];
      const subject = `pod security of ${metadata.name}`;
      return wanted === found
        ? [ok(subject, `${wanted}, as in the stack.`)]
        : [
            warning(
              subject,
              `It is ${found ?? "not set"}, but the stack's is ${wanted}.`,
              "The next update sets it. Find out who changed it.",
            ),
          ];
    });
}

/** Amounts by the names of quotas, e.g. `requests.cpu`. */
type Amounts = ReadonlyMap<string, number>;

/** Whether quotas leave room for all that the stack has in a namespace. */
export function quotaFindings(
  objects: readonly KubernetesObject[],
  quotas: readonly ResourceQuota[] | "unseen",
): Finding[] {
  const { ok, unknown, problem } = findings("quota");
  if (quotas === "unseen") return [unknown("quotas", "You may not list ResourceQuotas of all namespaces.")];
  const names = new Set(objects.flatMap(({ metadata }) => metadata.namespace ?? []));
  const own = quotas.filter(({ metadata }) => names.has(metadata?.namespace ?? ""));
  if (own.length === 0) return [ok("quotas", "No namespace of the stack has one.")];
  return own.map(({ metadata, spec }) => {
    const subject = `quota ${metadata?.namespace}/${metadata?.name}`;
    const amounts = amountsOf(objects.filter((each) => each.metadata.namespace === metadata?.namespace));
    const short = Object.entries(spec?.hard ?? {}).filter(
      ([name, hard]) => (amounts.get(name) ?? 0) > (parseQuantity(hard) ?? Number.POSITIVE_INFINITY),
    );
    if (short.length === 0) return ok(subject, "It leaves room for the whole stack.");
    const texts = short.map(([name, hard]) => `${name} ${hard}, and the stack needs ${shown(amounts.get(name) ?? 0)}`);
    return problem(subject, `It allows ${texts.join("; ")}.`, "Raise the quota, or make the stack smaller.");
  });
}

function shown(amount: number): string {
  return amount >= 2 ** 20 ? `${Math.ceil(amount / 2 ** 20)}Mi` : String(Math.ceil(amount * 1000) / 1000);
}

interface Sized extends KubernetesObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly instances?: number;
    readonly template?: { readonly spec?: PodSpec };
    readonly resources?: ResourceRequirements;
    readonly storage?: { readonly size?: string };
  };
}

/** Resources that a namespace's objects use, in the units of quotas. Jobs come and go, so they don't count. */
function amountsOf(objects: readonly KubernetesObject[]): Amounts {
  const sums = new Map<string, number>();
  const add = (name: string, quantity: string | number | undefined, times = 1) =>
    sums.set(name, (sums.get(name) ?? 0) + (parseQuantity(quantity ?? 0) ?? 0) * times);
  const addPods = (pods: number, containers: readonly (ResourceRequirements | undefined)[]) => {
    add("pods", pods);
    for (const resources of containers)
      for (const [sort, own] of [
        ["requests", resources?.requests],
        ["limits", resources?.limits],
      ] as const)
        for (const [name, quantity] of Object.entries(own ?? {})) add(`${sort}.${name}`, String(quantity), pods);
  };
  for (const { kind, spec } of objects as Sized[]) {
    if (kind === "Deployment" || kind === "StatefulSet")
      addPods(spec?.replicas ?? 1, spec?.template?.spec?.containers.map(({ resources }) => resources) ?? []);
    if (kind === "Cluster") {
      addPods(spec?.instances ?? 1, [spec?.resources]);
      add("persistentvolumeclaims", spec?.instances ?? 1);
      add("requests.storage", spec?.storage?.size, spec?.instances ?? 1);
    }
    if (kind === "PersistentVolumeClaim") {
      add("persistentvolumeclaims", 1);
      add("requests.storage", String(spec?.resources?.requests?.storage ?? 0));
    }
  }
  for (const name of ["cpu", "memory"]) sums.set(name, sums.get(`requests.${name}`) ?? 0);
  return sums;
}
