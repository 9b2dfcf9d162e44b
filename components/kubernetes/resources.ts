import type { ResourceRequirements } from "kubernetes-types/core/v1.d.ts";
import { canonicalQuantity } from "../core/quantities.ts";

/** CPU and memory of a container. */
export interface ResourceAmountsArgs {
  /** CPU in millicores, e.g. `200m`. */
  cpu: string;
  /** Memory with a binary suffix, e.g. `512Mi`. */
  memory: string;
}

/** What a container is given: the specification's ResourceSpec. */
export interface ResourceSpecArgs {
  /** Reserved on a node for the container. */
  requests: ResourceAmountsArgs;
  /** Above the CPU limit the container is throttled, above the memory limit it is killed. */
  limits: ResourceAmountsArgs;
}

/** Requests of CPU and memory, then their limits. */
export function resourceSpec(cpu: string, memory: string, cpuLimit: string, memoryLimit: string): ResourceSpecArgs {
  return { requests: { cpu, memory }, limits: { cpu: cpuLimit, memory: memoryLimit } };
}

/**
 * The container's `resources`, in the form the API server stores them.
 * @throws Error where an amount is not a quantity
 */
export function resourceRequirements(spec: ResourceSpecArgs): ResourceRequirements {
  const amounts = ({ cpu, memory }: ResourceAmountsArgs) => ({
    cpu: canonicalQuantity(cpu),
    memory: canonicalQuantity(memory),
  });
  return { requests: amounts(spec.requests), limits: amounts(spec.limits) };
}
