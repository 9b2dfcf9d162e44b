/**
 * Stands in for a cloud's load balancers: a Service of type LoadBalancer gets an address.
 *
 * Not simulated: traffic. The address is of TEST-NET-1 (RFC 5737), which no network has: nothing may dial it.
 */
import { createHash } from "node:crypto";
import type { KubeClient } from "../kubernetes/client.ts";
import { identity, type KubernetesObject } from "../kubernetes/objects.ts";
import type { Operator } from "./controller.ts";

interface Service extends KubernetesObject {
  spec: { type?: string; loadBalancerClass?: string };
  status?: { loadBalancer?: { ingress?: { ip?: string }[] } };
}

/** The made-up address of a Service: the same each time. */
export function addressOf({ metadata: { namespace, name } }: KubernetesObject): string {
  const digest = createHash("sha256").update(`${namespace}/${name}`).digest();
  return `192.0.2.${1 + ((digest[0] ?? 0) % 254)}`;
}

/** The operator for Services. */
export function loadBalancers(client: KubeClient): Operator {
  return {
    reconciles: { apiVersion: "v1", kind: "Service" },
    async reconcile(object) {
      const service = object as Service;
      if (service.spec.type !== "LoadBalancer" || service.status?.loadBalancer?.ingress?.length) return;
      const status = { loadBalancer: { ingress: [{ ip: addressOf(service), ipMode: "VIP" }] } };
      await client.apply({ ...identity(service), status }, "load-balancer", "status");
    },
  };
}
