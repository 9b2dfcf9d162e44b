import type { ConfigContext } from "@hearth-platform/stack/config-file";
import { edited, withValue } from "../suite-file.ts";

/** A file with problems, and every problem that must be told: `code path:line`, warnings with a question mark. */
export interface BadFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly problems: readonly string[];
  readonly context?: ConfigContext;
}

/** Bad files by the kind of their problems. */
export type Kinds = Readonly<Record<string, readonly BadFile[]>>;

type Row = readonly [name: string, content: string | Uint8Array, ...problems: string[]];

/** One bad file a row. */
export function files(...rows: Row[]): BadFile[] {
  return rows.map(([name, content, ...problems]) => ({ name, content, problems }));
}

/** The good file with one text in place of another, a row each. */
export function edits(...rows: [name: string, found: string | RegExp, written: string, ...problems: string[]][]) {
  return rows.map(
    ([name, found, written, ...problems]): BadFile => ({ name, content: edited(found, written), problems }),
  );
}

/** The good file with another value at one path, a row each: what the value is, how it is written, the problems. */
export function values(path: string, ...rows: [name: string, written: string, ...problems: string[]][]): BadFile[] {
  return rows.map(([name, written, ...problems]) => ({
    name: `${path}: ${name}`,
    content: withValue(path, written),
    problems,
  }));
}
