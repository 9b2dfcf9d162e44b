import type { LimitsArgs } from "../core/limits-args.ts";
import { error, type Problem, warning } from "../core/problems.ts";
import { limits, storageClasses } from "./limits.ts";

/** The specification's sets with what a stack allows beside them on purpose: settings, policies and admission read them here. */

type Widening = LimitsArgs | undefined;

/** The highest major of PostgreSQL. */
export function highestMajor(widening: Widening): number {
  return Math.max(limits.databaseMajor.max, ...(widening?.databaseMajors ?? []).map(({ major }) => major));
}

/** The most instances of a database. */
export function mostInstances(widening: Widening): number {
  return Math.max(limits.databaseReplicas.production, widening?.databaseReplicas?.most ?? 0);
}

/** The most web pods of a suite with a web volume of this class: one where it has a single writer, whatever is widened. */
export function mostWebPods(storageClass: string, widening: Widening): number {
  const own = limits.cloudsuiteReplicas[storageClass];
  const many = limits.cloudsuiteReplicas[storageClasses.smb] ?? 1;
  const most = own ?? (widenedClass(storageClass, widening)?.multiWriter ? many : 1);
  return most === 1 ? 1 : Math.max(most, widening?.cloudsuiteReplicas?.most ?? 0);
}

/** Names of the classes that were added. */
export function addedClasses(widening: Widening): string[] {
  return (widening?.storageClasses ?? []).map(({ name }) => name);
}

/** A class that was added; undefined for the specification's own. */
export function widenedClass(name: string, widening: Widening) {
  return widening?.storageClasses?.find((each) => each.name === name);
}

/** Whether `host` is an endpoint of the added region `name`; undefined where no such region was added. */
export function isEndpointOf(name: string, host: string, widening: Widening): boolean | undefined {
  const region = widening?.regions?.find((each) => each.name === name);
  if (region === undefined) return undefined;
  const labels = region.endpoint.split(".");
  const found = host.split(".");
  return labels.length === found.length && labels.every((label, index) => label === "*" || label === found[index]);
}

/** Problems of a widening itself. @param path its path @param today in UTC; without it, the last day is not checked */
export function wideningProblems(path: string, widening: Widening, today?: string): Problem[] {
  const at = (place: string, ...said: [code: string, message: string, remedy: string]) =>
    error(said[0], `${path}.${place}`, said[1], said[2]);
  const majors = (widening?.databaseMajors ?? []).map(({ major }) => major);
  return [
    ...(widening?.storageClasses ?? []).flatMap((each, index) =>
      Object.values(storageClasses).some((own) => own === each.name)
        ? [at(`storageClasses[${index}].name`, "limit-own", `${each.name} is the specification's.`, "Leave it out.")]
        : [],
    ),
    ...(majors.includes(18) && !majors.includes(17)
      ? [at("databaseMajors", "limit-gap", "PostgreSQL 18 is added without 17.", "Add 17, too.")]
      : []),
    ...entriesOf(widening).flatMap(([place, { until }]) =>
      until !== undefined && today !== undefined && until < today
        ? [at(place, "limit-ended", `It was allowed until ${until}.`, "Remove it, or set a later last day.")]
        : [],
    ),
  ];
}

/** Advice of everything that a stack allows, with the reason. */
export function wideningAdvice(path: string, widening: Widening): Problem[] {
  return entriesOf(widening).map(([place, { what, reason, until }]) =>
    warning(
      "limit-widened",
      `${path}.${place}`,
      `${what} is allowed beside the specification: ${reason}${/[.!?]$/.test(reason) ? "" : "."}`,
      until === undefined ? "Take it out once nothing needs it." : `It ends after ${until}.`,
    ),
  );
}

interface Entry {
  readonly what: string;
  readonly reason: string;
  readonly until?: string;
}

function entriesOf(widening: Widening): [place: string, entry: Entry][] {
  const { regions, storageClasses: classes, databaseMajors, databaseReplicas, cloudsuiteReplicas } = widening ?? {};
  return [
    ...listed("regions", regions, (each) => `Region ${each.name}`),
    ...listed("storageClasses", classes, (each) => `Class ${each.name}`),
    ...listed("databaseMajors", databaseMajors, (each) => `PostgreSQL ${each.major}`),
    ...one("databaseReplicas", databaseReplicas, (each) => `A database of ${each.most} instances`),
    ...one("cloudsuiteReplicas", cloudsuiteReplicas, (each) => `A suite of ${each.most} web pods`),
  ];
}

type Why = { readonly reason: string; readonly until?: string };

function listed<E extends Why>(key: string, entries: readonly E[] = [], what: (entry: E) => string) {
  return entries.flatMap((each, index) => one(`${key}[${index}]`, each, what));
}

function one<E extends Why>(place: string, entry: E | undefined, what: (entry: E) => string): [string, Entry][] {
  return entry === undefined ? [] : [[place, { what: what(entry), reason: entry.reason, until: entry.until }]];
}
