import { as, block, text } from "../core/schema.ts";
import { bytes, cpu } from "../core/value-rules.ts";

export const resourceAmounts = block("ResourceAmountsArgs", "CPU and memory of a container.", {
  cpu: text("CPU in millicores, e.g. `200m`.", { rule: cpu }),
  memory: text("Memory with a binary suffix, e.g. `512Mi`.", { rule: bytes }),
});

export const resourceSpec = block("ResourceSpecArgs", "What a container is given: the specification's ResourceSpec.", {
  requests: as(resourceAmounts, "Reserved on a node for the container."),
  limits: as(resourceAmounts, "Above the CPU limit the container is throttled, above the memory limit it is killed."),
});
