import type { KubernetesObject as PlannedKubernetesObject } from "@hearth-platform/hearth/core/plan";
import { KubeClient } from "@hearth-platform/sandbox/kubernetes/client";
import type { KubernetesObject } from "@hearth-platform/sandbox/kubernetes/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { vi } from "vitest";
import { checkFiles, type StackFiles } from "../../support/stack-files.ts";
import { type Kind, kinds } from "./row.ts";

/** A stack's routes in the cluster, with what they name and no workload. */
export interface PlacedRoutes {
  readonly client: KubeClient;
  readonly namespaces: readonly string[];
  /** How many routers a proxy makes of the routes of each kind. */
  readonly routers: Readonly<Record<Kind, number>>;
  /** The authority that signed the certificates, PEM. */
  readonly authority: string;
  /** `namespace/service:port` behind an address that a proxy found. */
  readonly backendAt: (address: string) => string;
  /** Takes everything away again. */
  readonly remove: () => Promise<void>;
}

/** As much of a route of any kind as is looked at. */
interface Route extends KubernetesObject {
  readonly spec: {
    readonly routes?: readonly unknown[];
    readonly hostnames?: readonly string[];
    readonly rules?: readonly { readonly matches?: readonly unknown[] }[];
  };
}

interface Service extends KubernetesObject {
  readonly spec: {
    readonly clusterIP?: string;
    readonly ports: readonly { readonly name: string; readonly port: number }[];
  };
}

interface Secret extends KubernetesObject {
  readonly data: Readonly<Record<string, string>>;
}

const manager = "hearth-routes-test";
const placedKinds = [
  ...["IngressRoute", "IngressRouteTCP", "Middleware", "ServersTransportTCP"],
  ...["Gateway", "HTTPRoute", "TCPRoute", "ReferenceGrant"],
  ...["Certificate", "Service"],
];

/** Of an HTTPRoute each host has a listener of its own, and each match a router. */
const routersOf: Readonly<Record<string, readonly [Kind, (spec: Route["spec"]) => number]>> = {
  IngressRoute: ["traefik", ({ routes = [] }) => routes.length],
  IngressRouteTCP: ["traefik", ({ routes = [] }) => routes.length],
  HTTPRoute: [
    "gateway",
    ({ hostnames = [], rules = [] }) => hostnames.length * rules.flatMap(({ matches = [] }) => matches).length,
  ],
  TCPRoute: ["gateway", ({ rules = [] }) => rules.length],
};

/**
 * Applies the routes of stacks to the API server. Their Services have made-up addresses, which nobody may dial; certificates are signed.
 * @param kubeconfig of the cluster @param stacks the same ones may stand there once for each kind @param beside what the stacks name
 * @throws Error where settings have a problem, an object is refused or a certificate does not come
 */
export async function placeRoutes(
  kubeconfig: string,
  stacks: readonly StackFiles[],
  beside: readonly KubernetesObject[],
): Promise<PlacedRoutes> {
  const client = KubeClient.fromKubeconfig(kubeconfig);
  const objects = unique([...stacks.flatMap(objectsOf), ...beside]);
  const namespaces = [...new Set(objects.map(({ metadata }) => metadata.namespace ?? ""))];
  const addresses = new Map<string, string>();
  const apply = (object: KubernetesObject) => client.apply(object, manager);
  await Promise.all(namespaces.map((name) => apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } })));
  const parts = objects.flatMap((object) =>
    object.kind === "Service" ? withAddress(object as Service, addresses) : [object],
  );
  await Promise.all(parts.map(apply));
  return {
    client,
    namespaces,
    routers: Object.fromEntries(kinds.map((kind) => [kind, routers(objects, kind)])) as PlacedRoutes["routers"],
    authority: await authority(client, objects),
    backendAt: (address) => {
      const { hostname, port } = new URL(address.includes("://") ? address : `tcp://${address}`);
      return `${addresses.get(hostname) ?? `nobody at ${hostname}`}:${port || 80}`;
    },
    remove: async () => {
      for (const name of namespaces) await client.delete({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    },
  };
}

/** Each object once: what is not of one kind's own is the same in all. */
function unique(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const id = ({ kind, metadata }: KubernetesObject) => `${kind}/${metadata.namespace}/${metadata.name}`;
  return [...new Map(objects.map((object) => [id(object), object])).values()];
}

function routers(objects: readonly KubernetesObject[], kind: Kind): number {
  return objects.reduce((sum, object) => {
    const [of, count] = routersOf[object.kind] ?? [];
    return of === kind && count ? sum + count((object as Route).spec) : sum;
  }, 0);
}

function objectsOf(files: StackFiles): KubernetesObject[] {
  const { stack, problems } = checkFiles(files);
  if (!stack) throw new Error(problems.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  const objects = stackPlans(stack).flatMap((plan) =>
    plan.objects.map(({ object }) => object as PlannedKubernetesObject),
  );
  return objects.filter(({ kind }) => placedKinds.includes(kind)) as unknown as KubernetesObject[];
}

/** The Service without pods, and an address for it instead; a headless one has no way in. */
function withAddress({ spec, ...service }: Service, addresses: Map<string, string>): KubernetesObject[] {
  const { name, namespace } = service.metadata;
  // Of the range for benchmarks, which is no one's. (RFC 2544)
  const address = `198.18.0.${addresses.size + 1}`;
  addresses.set(address, `${namespace}/${name}`);
  return [
    { ...service, spec: { ports: spec.ports.map(({ name, port }) => ({ name, port, protocol: "TCP" })) } },
    {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name, ...(namespace && { namespace }), labels: { "kubernetes.io/service-name": name } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: spec.ports.map(({ name, port }) => ({ name, port, protocol: "TCP" })),
    },
  ];
}

/** Waits for the Secret of each Certificate. */
async function authority(client: KubeClient, objects: readonly KubernetesObject[]): Promise<string> {
  const authorities = new Set<string>();
  for (const { kind, metadata } of objects) {
    if (kind !== "Certificate") continue;
    const secret = await vi.waitFor(
      async () => {
        const found = await client.get<Secret>({ apiVersion: "v1", kind: "Secret" }, metadata.name, metadata.namespace);
        if (!found?.data["tls.crt"]) throw new Error(`${metadata.namespace}/${metadata.name} has no certificate yet.`);
        return found;
      },
      { timeout: 60_000, interval: 100 },
    );
    authorities.add(Buffer.from(secret.data["ca.crt"] ?? "", "base64").toString());
  }
  return [...authorities].join("\n");
}
