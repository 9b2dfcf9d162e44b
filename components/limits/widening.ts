import type { LimitsArgs } from "../core/limits-args.ts";
import { widenedLimits } from "../core/limits-schema.ts";
import { error, type Problem, warning } from "../core/problems.ts";
import type { Limit } from "./limit.ts";
import { isOwnClass } from "./sets.ts";
import { limits } from "./table.ts";

/** Problems of a widening itself. @param path its path @param today in UTC; without it, the last day is not checked */
export function wideningProblems(path: string, widening: LimitsArgs | undefined, today?: string): Problem[] {
  const at = (place: string, ...said: [code: string, message: string, remedy: string]) =>
    error(said[0], `${path}.${place}`, said[1], said[2]);
  const majors = (widening?.databaseMajors ?? []).map(({ major }) => major);
  return [
    ...(widening?.storageClasses ?? []).flatMap((each, index) =>
      isOwnClass(each.name)
        ? [at(`storageClasses[${index}].name`, "limit-own", `${each.name} is the specification's.`, "Leave it out.")]
        : [],
    ),
    ...(majors.includes(18) && !majors.includes(17)
      ? [at("databaseMajors", "limit-gap", "PostgreSQL 18 is added without 17.", "Add 17, too.")]
      : []),
    ...entriesOf(widening).flatMap(({ place, until }) =>
      until !== undefined && today !== undefined && until < today
        ? [at(place, "limit-ended", `It was allowed until ${until}.`, "Remove it, or set a later last day.")]
        : [],
    ),
  ];
}

/** Advice of everything that a stack allows, with the reason. */
export function wideningAdvice(path: string, widening: LimitsArgs | undefined): Problem[] {
  return entriesOf(widening).map(({ place, what, reason, until }) =>
    warning(
      "limit-widened",
      `${path}.${place}`,
      `${what} is allowed beside the specification: ${reason}${/[.!?]$/.test(reason) ? "" : "."}`,
      until === undefined ? "Take it out once nothing needs it." : `It ends after ${until}.`,
    ),
  );
}

interface Entry {
  readonly place: string;
  readonly what: string;
  readonly reason: string;
  readonly until?: string;
}

/** Every entry of a widening, in the order of the keys, in the words of its row. */
function entriesOf(widening: LimitsArgs = {}): Entry[] {
  const rows: readonly Limit[] = Object.values(limits);
  return (Object.keys(widenedLimits.shape) as (keyof LimitsArgs)[]).flatMap((key) => {
    const { what } = rows.find(({ widened }) => widened?.by === key)?.widened ?? {};
    const found = widening[key];
    const entries = found === undefined || Array.isArray(found) ? (found ?? []) : [found];
    return entries.map((entry, index) => ({
      place: Array.isArray(found) ? `${key}[${index}]` : key,
      what: what?.({ ...entry }) ?? key,
      reason: entry.reason,
      until: entry.until,
    }));
  });
}
