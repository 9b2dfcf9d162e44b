import { traefikImage } from "@hearth-platform/hearth/catalogue/prerequisites";
import type { KubernetesObject } from "@hearth-platform/hearth/core/plan";
import { type Finding, findings } from "@hearth-platform/stack/live/preflight/finding";
import { containersByImage, type Workload } from "@hearth-platform/stack/live/preflight/operators";
import { counted } from "@hearth-platform/stack/settings/report";
import type { Service } from "kubernetes-types/core/v1.d.ts";

/** Addresses of a name, none where it has none. */
export type Resolver = (host: string) => Promise<readonly string[]>;

/** Public hosts of a stack: all its certificates are issued for. */
export function hostsOf(objects: readonly KubernetesObject[]): string[] {
  const certificates = objects.filter(({ kind }) => kind === "Certificate") as (KubernetesObject & {
    readonly spec: { readonly dnsNames?: readonly string[] };
  })[];
  return [...new Set(certificates.flatMap(({ spec }) => spec.dnsNames ?? []))];
}

/** A name to ask for: of a wildcard one below it. */
export function askedName(host: string): string {
  return host.replace(/^\*\./, "hearth-doctor.");
}

/** Where the ingress is reached: addresses or names of the load balancers that lead to Traefik's pods. */
export function ingressAddresses(
  services: readonly Service[] | "unseen",
  workloads: readonly Workload[] | "unseen",
): string[] {
  if (services === "unseen" || workloads === "unseen") return [];
  const pods = containersByImage(workloads, traefikImage).map(({ workload: { metadata, spec } }) => ({
    namespace: metadata?.namespace,
    labels: spec?.template.metadata?.labels ?? {},
  }));
  return services
    .filter(({ metadata, spec }) =>
      pods.some(
        ({ namespace, labels }) =>
          metadata?.namespace === namespace &&
          Object.keys(spec?.selector ?? {}).length > 0 &&
          Object.entries(spec?.selector ?? {}).every(([key, value]) => labels[key] === value),
      ),
    )
    .flatMap(({ status, spec }) => [
      ...(status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }) => ip ?? hostname ?? []),
      ...(spec?.externalIPs ?? []),
    ]);
}

/**
 * Whether every host leads to the ingress.
 * @param addresses of the ingress; none: not seen
 * @param resolved addresses by host; undefined: names are not asked for
 */
export function dnsFindings(
  hosts: readonly string[],
  addresses: readonly string[],
  resolved: ReadonlyMap<string, readonly string[]> | undefined,
): Finding[] {
  const { ok, unknown, warning, problem } = findings("dns");
  if (hosts.length === 0) return [];
  if (!resolved) return [unknown("DNS", "The sandbox's hosts have no DNS records.")];
  const leads = (host: string) => resolved.get(host)?.some((address) => addresses.includes(address));
  const right = hosts.filter(leads);
  const others = hosts.filter((host) => !leads(host));
  const place = addresses.length === 0 ? "the ingress (the doctor can't see its address)" : addresses.join(", ");
  return [
    ...(right.length > 0 ? [ok("DNS", `${counted(right.length, "host leads", "hosts lead")} to ${place}.`)] : []),
    ...others.map((host) => {
      const found = resolved.get(host) ?? [];
      const remedy = `Make an A or AAAA record for ${place}.`;
      if (found.length === 0) return problem(host, "It has no DNS record.", remedy);
      if (addresses.length === 0)
        return unknown(host, `It points to ${found.join(", ")}. The doctor can't see the ingress's address.`);
      return warning(
        host,
        `It points to ${found.join(", ")}, not to ${place}.`,
        `${remedy} Behind a proxy, ignore this.`,
      );
    }),
  ];
}
