import { error, type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import type { ValueRule } from "../core/schema.ts";
import { bytes, cpu } from "../core/value-rules.ts";
import type { ResourceSpecArgs } from "./resources-args.ts";

/** Rules on a ResourceSpec; schemas name them. What has not the form of its amount is not compared. */

const kinds = ["cpu", "memory"] as const;
const ends = ["requests", "limits"] as const;

/** No request is above its limit. */
export function withinLimits(path: string, spec: ResourceSpecArgs | undefined): Problem[] {
  return kinds.flatMap((kind) => {
    if (spec === undefined || !isAbove(kind, spec)) return [];
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

/** Amounts below `recommended` get a warning. */
export const resourcesFrom =
  (recommended: ResourceSpecArgs): ValueRule<ResourceSpecArgs> =>
  (path, spec) =>
    ends.flatMap((end) =>
      kinds.flatMap((kind) => {
        if (spec === undefined || isAbove(kind, spec)) return [];
        const found = amount(kind, spec[end][kind]);
        const least = recommended[end][kind];
        if (found === undefined || found >= (parseQuantity(least) ?? 0)) return [];
        return [
          warning(
            "resources-low",
            `${path}.${end}.${kind}`,
            `${spec[end][kind]} is below the recommended ${least}.`,
            `Write ${least} or more.`,
          ),
        ];
      }),
    );

function isAbove(kind: "cpu" | "memory", { requests, limits }: ResourceSpecArgs): boolean {
  const [request, limit] = [amount(kind, requests[kind]), amount(kind, limits[kind])];
  return request !== undefined && limit !== undefined && request > limit;
}

function amount(kind: "cpu" | "memory", text: string): number | undefined {
  const form = kind === "cpu" ? cpu : bytes;
  return form("", text).length > 0 ? undefined : parseQuantity(text);
}
