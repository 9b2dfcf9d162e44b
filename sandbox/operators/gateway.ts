/**
 * Stands in for a proxy that reads the Gateway API: a Gateway of a class that exists is Accepted and Programmed once the Secrets of its
 * certificates are there, as Traefik says.
 *
 * Not simulated: traffic, an address, the status of routes, listeners that contradict each other, ReferenceGrants.
 */
import type { KubeClient } from "../kubernetes/client.ts";
import { identity, type KubernetesObject } from "../kubernetes/objects.ts";
import { type Condition, transition } from "./conditions.ts";
import type { Operator } from "./controller.ts";

const apiVersion = "gateway.networking.k8s.io/v1";
const classKind = { apiVersion, kind: "GatewayClass" };
const secretKind = { apiVersion: "v1", kind: "Secret" };

export interface Gateway extends KubernetesObject {
  spec: {
    gatewayClassName: string;
    listeners: { name: string; tls?: { certificateRefs?: { name: string; namespace?: string }[] } }[];
  };
  status?: { conditions?: Condition[] };
}

/**
 * The conditions of a Gateway; nothing where no proxy has its class.
 * @param classes names of those that exist @param secrets `namespace/name` of those that exist
 */
export function gatewayConditions(
  { metadata, spec, status }: Gateway,
  classes: ReadonlySet<string>,
  secrets: ReadonlySet<string>,
): Condition[] {
  if (!classes.has(spec.gatewayClassName)) return [];
  const missing = spec.listeners
    .flatMap(({ tls }) => tls?.certificateRefs ?? [])
    .map(({ name, namespace = metadata.namespace }) => `${namespace}/${name}`)
    .filter((secret) => !secrets.has(secret));
  const observedGeneration = metadata.generation;
  const said =
    missing.length > 0
      ? { status: "False" as const, reason: "ListenersNotValid", message: `Secrets are missing: ${missing.join(", ")}` }
      : { status: "True" as const, message: "The sandbox has no proxy that would take its traffic" };
  return ["Accepted", "Programmed"].map((type) =>
    transition(status?.conditions, { type, reason: type, ...said, observedGeneration }),
  );
}

/** The operator for Gateways. */
export function gateways(client: KubeClient): Operator {
  return {
    reconciles: { apiVersion, kind: "Gateway" },
    dependsOn: [classKind, secretKind],
    async reconcile(object, caches) {
      const gateway = object as Gateway;
      const named = (each: KubernetesObject) => `${each.metadata.namespace}/${each.metadata.name}`;
      const conditions = gatewayConditions(
        gateway,
        new Set(caches.list(classKind).map(({ metadata }) => metadata.name)),
        new Set(caches.list(secretKind).map(named)),
      );
      if (conditions.length === 0 || isSaid(gateway, conditions)) return;
      await client.apply({ ...identity(gateway), status: { conditions } }, "gateway-controller", "status");
    },
  };
}

/** A real proxy may have said the same in other words. */
function isSaid({ status }: Gateway, conditions: readonly Condition[]): boolean {
  return conditions.every(({ type, status: wanted, observedGeneration }) =>
    status?.conditions?.some(
      (each) => each.type === type && each.status === wanted && each.observedGeneration === observedGeneration,
    ),
  );
}
