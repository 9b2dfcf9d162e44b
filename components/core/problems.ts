import { isWithin } from "./paths.ts";

/** How bad a problem is: required fields, types and fixed sets are errors; recommendations are warnings, which leave the result valid. */
export const Severity = { error: "error", warning: "warning" } as const;
export type Severity = (typeof Severity)[keyof typeof Severity];

/** Something wrong with plain arguments. Settings, component constructors and policies judge by the same rules and give the same problems. */
export interface Problem {
  readonly severity: Severity;
  /** Kebab-case name of the rule, stable across releases. */
  readonly code: string;
  /** Where, e.g. `s3.buckets.data` or `cloudsuites[0].name`; empty: the whole. */
  readonly path: string;
  /** What was found and why it is wrong, as a sentence. */
  readonly message: string;
  /** What is allowed, or what to do, as a sentence. */
  readonly remedy: string;
  /** For a change that may lose data: names in `madeNames`. There is data only if one of these was made. */
  readonly onlyIfMade?: readonly string[];
}

/** A problem that must be corrected. */
export function error(code: string, path: string, message: string, remedy: string): Problem {
  return { severity: Severity.error, code, path, message, remedy };
}

/** A problem that may stay. */
export function warning(code: string, path: string, message: string, remedy: string): Problem {
  return { severity: Severity.warning, code, path, message, remedy };
}

/** Problems of a change that loses data only if one of these was made, by their names in `madeNames`. */
export function onlyIfMade(made: readonly string[], problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, onlyIfMade: made }));
}

/** The problems without those about objects that were never made. */
export function problemsOfMade(problems: readonly Problem[], made: ReadonlySet<string>): Problem[] {
  return problems.filter(({ onlyIfMade }) => !onlyIfMade || onlyIfMade.some((name) => made.has(name)));
}

/** The problems that must be corrected. */
export function errorsOf(problems: readonly Problem[]): Problem[] {
  return problems.filter((problem) => problem.severity === Severity.error);
}

/** The problems of `others`, without those about a value that already has an error in `problems`. */
export function besides(problems: readonly Problem[], others: readonly Problem[]): Problem[] {
  const errors = errorsOf(problems);
  return others.filter(({ path }) => !errors.some((wrong) => isWithin(path, wrong.path)));
}

/** A value as a message shows it: quoted, control characters escaped, at most 60 characters, without what stands before an `@` after a colon. */
export function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? String(value)).slice(0, 1000).replace(/(:|\/\/)[^\s/@]+@(?!sha256:)/g, "$1…@");
  const visible = text.replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return visible.length <= 60 ? visible : `${visible.slice(0, 57)}…`;
}

/** `a`, `a or b`, `a, b or c`. */
export function alternatives(values: readonly (string | number)[]): string {
  const last = values.at(-1);
  return values.length < 2 ? String(last ?? "") : `${values.slice(0, -1).join(", ")} or ${last}`;
}
