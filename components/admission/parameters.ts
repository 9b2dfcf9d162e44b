import { canonicalQuantity } from "../core/quantities.ts";
import type { ResourceSpecArgs } from "../kubernetes/resources-args.ts";
import type { Circumstances, Limit, MeasuredLimit } from "../limits/limit.ts";
import { limits } from "../limits/table.ts";
import type { AdmissionArgs } from "./args.ts";

/** The rows that the API server judges, by the keys of their numbers. */
export const judgedLimits = Object.entries<Limit>(limits).filter(
  (entry): entry is [key: string, limit: MeasuredLimit] => entry[1].measure !== "set",
);

/** CEL of a row's number. @param end of the key, where a row has two numbers */
export function parameter(key: string, { by }: MeasuredLimit, end = ""): string {
  return by === undefined ? `params.data.${key}${end}` : `params.data['${key}${end}.' + request.namespace]`;
}

/** The parameter object of all policies: the limits as the data of one ConfigMap, whose values are texts. */
export function parameters({ namespaces, platform }: AdmissionArgs): Record<string, string> {
  const stack = { profile: platform.profile, limits: platform.limits };
  const all = judgedLimits.flatMap(([key, limit]) =>
    limit.by === undefined
      ? numbers(key, limit, stack)
      : namespaces.flatMap(({ name, ...suite }) =>
          numbers(key, limit, { ...stack, ...suite }).map(([own, value]) => [`${own}.${name}`, value]),
        ),
  );
  return Object.fromEntries(all);
}

function numbers(key: string, limit: MeasuredLimit, of: Circumstances): [key: string, value: string][] {
  switch (limit.measure) {
    case "pods":
      return [[key, String(Number.isFinite(limit.most(of)) ? limit.most(of) : limit.least(of))]];
    case "size":
      return [[key, canonicalQuantity(limit.least(of))]];
    case "resources":
      return [[key, amounts(limit.least(of))]];
    case "interval":
      return [[key, `${limit.least(of)}s`]];
    default:
      return [
        [`${key}Min`, String(limit.least(of))],
        [`${key}Max`, String(limit.most(of))],
      ];
  }
}

/** Requests, then limits: CPU and memory of each, with spaces between them. */
function amounts({ requests, limits: most }: ResourceSpecArgs): string {
  return [requests.cpu, requests.memory, most.cpu, most.memory].map(canonicalQuantity).join(" ");
}
