import { error, type Fault } from "./faults.ts";
import { parseQuantity } from "./quantities.ts";
import type { ResourceSpecArgs } from "./resources.ts";
import { bytes, cpu } from "./value-rules.ts";

/** Faults of a ResourceSpec: the form of its amounts, and requests above limits. */
export function resourceFaults(path: string, spec: ResourceSpecArgs): Fault[] {
  return (["cpu", "memory"] as const).flatMap((kind) => {
    const form = kind === "cpu" ? cpu : bytes;
    const faults = (["requests", "limits"] as const).flatMap((end) => form(`${path}.${end}.${kind}`, spec[end][kind]));
    const [request, limit] = [parseQuantity(spec.requests[kind]), parseQuantity(spec.limits[kind])];
    if (faults.length > 0 || request === undefined || limit === undefined || request <= limit) return faults;
    return [
      error(
        "request-above-limit",
        `${path}.requests.${kind}`,
        `The request ${spec.requests[kind]} is above the limit ${spec.limits[kind]}.`,
        "Lower the request or raise the limit.",
      ),
    ];
  });
}
