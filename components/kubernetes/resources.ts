import type { ResourceRequirements } from "kubernetes-types/core/v1.d.ts";
import { canonicalQuantity } from "../core/quantities.ts";
import type { ResourceAmountsArgs, ResourceSpecArgs } from "./resources-args.ts";

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
