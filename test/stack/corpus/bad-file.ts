import type { ConfigContext } from "@hearth-platform/stack/config-file";
import { edited, withValue } from "../suite-file.ts";

/** A file with faults, and every fault that must be told: `code path:line`, warnings with a question mark. */
export interface BadFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly faults: readonly string[];
  readonly context?: ConfigContext;
}

/** Bad files by the kind of their faults. */
export type Kinds = Readonly<Record<string, readonly BadFile[]>>;

type Row = readonly [name: string, content: string | Uint8Array, ...faults: string[]];

/** One bad file a row. */
export function files(...rows: Row[]): BadFile[] {
  return rows.map(([name, content, ...faults]) => ({ name, content, faults }));
}

/** The good file with one text in place of another, a row each. */
export function edits(...rows: [name: string, found: string | RegExp, written: string, ...faults: string[]][]) {
  return rows.map(([name, found, written, ...faults]): BadFile => ({ name, content: edited(found, written), faults }));
}

/** The good file with another value at one path, a row each: what the value is, how it is written, the faults. */
export function values(path: string, ...rows: [name: string, written: string, ...faults: string[]][]): BadFile[] {
  return rows.map(([name, written, ...faults]) => ({
    name: `${path}: ${name}`,
    content: withValue(path, written),
    faults,
  }));
}
