import { as, block, defaultsTo, text } from "../core/schema.ts";
import { bytes, cpu } from "../core/value-rules.ts";

export const resourceAmounts = block("ResourceAmountsArgs", "CPU and memory of a container.", {
  cpu: text("CPU in millicores, e.g. `200m`.", { rule: cpu }),
  memory: text("Memory with a binary suffix, e.g. `512Mi`.", { rule: bytes }),
});

export const resourceSpec = block("ResourceSpecArgs", "What a container is given: the specification's ResourceSpec.", {
  requests: as(resourceAmounts, "Reserved on a node for the container."),
  limits: as(resourceAmounts, "Above the CPU limit the container is throttled, above the memory limit it is killed."),
});

/** What a container is given where nothing else is said: requests of CPU and memory, then their limits. */
export const resources = (description: string, cpu: string, memory: string, cpuLimit: string, memoryLimit: string) =>
  defaultsTo(as(resourceSpec, description), {
    requests: { cpu, memory },
    limits: { cpu: cpuLimit, memory: memoryLimit },
  });
