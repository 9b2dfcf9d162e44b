import { as, block, defaultsTo, ruled, text } from "../core/schema.ts";
import { bytes, cpu, forms } from "../core/value-rules.ts";
import { resourcesFrom, withinLimits } from "./resource-rules.ts";
import type { ResourceSpecArgs } from "./resources-args.ts";

export const resourceAmounts = block("ResourceAmountsArgs", "CPU and memory of a container.", {
  cpu: text("CPU in millicores, e.g. `200m`.", { rule: cpu, hints: { pattern: forms.cpu } }),
  memory: text("Memory with a binary suffix, e.g. `512Mi`.", { rule: bytes, hints: { pattern: forms.bytes } }),
});

export const resourceSpecSchema = block(
  "ResourceSpecArgs",
  "What a container is given: the specification's ResourceSpec.",
  {
    requests: as(resourceAmounts, "Amounts reserved on the node."),
    limits: as(resourceAmounts, "Above the CPU limit the container is throttled; above the memory limit it is killed."),
  },
  withinLimits,
);

/** What a container is given where the specification recommends some amounts. */
export const recommendedResources = (description: string, recommended: ResourceSpecArgs) =>
  ruled(as(resourceSpecSchema, description), resourcesFrom(recommended));

/**
 * What a container is given where nothing else is said: requests of CPU and memory, then their limits.
 * @param recommended amounts below these get a warning; absent: no advice
 */
export const resources = (
  description: string,
  cpu: string,
  memory: string,
  cpuLimit: string,
  memoryLimit: string,
  recommended?: ResourceSpecArgs,
) =>
  defaultsTo(recommended ? recommendedResources(description, recommended) : as(resourceSpecSchema, description), {
    requests: { cpu, memory },
    limits: { cpu: cpuLimit, memory: memoryLimit },
  });
