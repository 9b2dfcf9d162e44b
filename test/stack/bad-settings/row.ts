import type { Changes } from "../../support/stack-files.ts";

/** Bad values of settings by their path: the value, the code of its problem, and where that is shown if not at the path itself. */
export type BadValues = Readonly<Record<string, readonly (readonly [value: unknown, says: string, at?: string])[]>>;

/** Settings that are sound one by one and do not fit together. */
export interface Conflict {
  readonly set: Changes;
  readonly at: string;
  readonly says: string;
}

/** The text of a stack's file, and the code of the problem. */
export interface RawFile {
  readonly what: string;
  readonly content: string;
  readonly says: string;
}
