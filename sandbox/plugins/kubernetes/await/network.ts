/** Services and Ingresses: reachable. */

import type { KubernetesObject } from "../../../kubernetes/objects.ts";
import { isObject } from "../../grpc.ts";
import { valueAt } from "../objects.ts";
import { type Awaiter, READY } from "./readiness.ts";

/**
 * Its endpoints are known and all ready (none at all is fine), and a load balancer has its address. The official
 * provider also waits until the endpoints have not changed for ten seconds.
 */
export const service: Awaiter = {
  related(live): ReturnType<NonNullable<Awaiter["related"]>> {
    if (!selectsPods(live)) return {};
    return { endpoints: { apiVersion: "v1", kind: "Endpoints", metadata: live.metadata } };
  },
  judge({ live, related: { endpoints } }) {
    if (valueAt(live, ["spec", "type"]) === "LoadBalancer" && !hasAddress(live)) {
      const reason = "Service was not allocated an IP address; does your cloud provider support this?";
      return { ready: false, message: "Waiting for an address of the load balancer", reasons: [reason] };
    }
    if (!selectsPods(live)) return READY;
    const subsets = valueAt(endpoints, ["subsets"]);
    const isPending =
      Array.isArray(subsets) && subsets.some((subset) => valueAt(subset, ["notReadyAddresses", 0]) !== undefined);
    if (endpoints && !isPending) return READY;
    return {
      ready: false,
      message: "Finding Pods to direct traffic to",
      reasons: ["Selected Pods may not be ready, or field '.spec.selector' may not match labels on any Pods"],
    };
  },
};

/** A controller has given it an address. */
export const ingress: Awaiter = {
  judge({ live }) {
    if (hasAddress(live)) return READY;
    const reason =
      "Ingress .status.loadBalancer field was not updated with a hostname/IP address; is an ingress controller running?";
    return { ready: false, message: "Waiting for update of .status.loadBalancer with hostname/IP", reasons: [reason] };
  },
};

function selectsPods(service: KubernetesObject): boolean {
  const selector = valueAt(service, ["spec", "selector"]);
  const isHeadless = valueAt(service, ["spec", "clusterIP"]) === "None";
  const isAlias = valueAt(service, ["spec", "type"]) === "ExternalName";
  return isObject(selector) && Object.keys(selector).length > 0 && !isHeadless && !isAlias;
}

function hasAddress(object: KubernetesObject): boolean {
  return valueAt(object, ["status", "loadBalancer", "ingress", 0]) !== undefined;
}
