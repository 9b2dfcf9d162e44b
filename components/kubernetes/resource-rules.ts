import type { Known } from "../core/known.ts";
import { error, type Problem, warning } from "../core/problems.ts";
import { parseQuantity } from "../core/quantities.ts";
import { bytes, cpu } from "../core/value-rules.ts";
import type { ResourceSpecArgs } from "./resources-args.ts";

/**
 * Problems of a ResourceSpec: the form of its amounts, and requests above limits.
 * @param recommended amounts below these get a warning; absent: no advice
 */
export function resourceProblems(
  path: string,
  spec: Known<ResourceSpecArgs> | undefined,
  recommended?: ResourceSpecArgs,
): Problem[] {
  return (["cpu", "memory"] as const).flatMap((kind) => {
    const form = kind === "cpu" ? cpu : bytes;
    const ends = ["requests", "limits"] as const;
    const problems = ends.flatMap((end) => form(`${path}.${end}.${kind}`, spec?.[end]?.[kind]));
    if (problems.length > 0) return problems;
    const [request, limit] = ends.map((end) => parseQuantity(spec?.[end]?.[kind] ?? ""));
    if (request !== undefined && limit !== undefined && request > limit)
      return [
        error(
          "request-above-limit",
          `${path}.requests.${kind}`,
          `The request ${spec?.requests?.[kind]} is above the limit ${spec?.limits?.[kind]}.`,
          "Lower the request or raise the limit.",
        ),
      ];
    return ends.flatMap((end) => below(`${path}.${end}.${kind}`, spec?.[end]?.[kind], recommended?.[end][kind]));
  });
}

function below(path: string, found: string | undefined, recommended: string | undefined): Problem[] {
  if (
    found === undefined ||
    recommended === undefined ||
    (parseQuantity(found) ?? 0) >= (parseQuantity(recommended) ?? 0)
  )
    return [];
  return [
    warning(
      "resources-low",
      path,
      `${found} is below the recommended ${recommended}.`,
      `Write ${recommended} or more.`,
    ),
  ];
}
