import type { ConfigContext } from "@hearth-platform/stack/areas/suites/config-file";
import { edited, withValue } from "../suite-file.ts";

/**
 * A file with problems, and every problem that must be told: `code path`, of a warning with a question mark behind the
 * code. Where it is told follows from both (see {@link located}); `:line` behind the path says it where it does not.
 */
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

/**
 * A bad file with the line of each problem: that of its key; of a missing key the line of the block that should hold it, of
 * a duplicate the second one.
 */
export function located(file: BadFile): BadFile {
  return { ...file, problems: file.problems.map((problem) => withLine(problem, String(file.content))) };
}

function withLine(problem: string, content: string): string {
  if (/:\d+$/.test(problem)) return problem;
  const [code, path = ""] = problem.split(" ");
  const lines = linesOfKey(code === "missing" ? parentOf(path) : path, content);
  const line = code === "yaml-duplicate" ? lines[1] : lines[0];
  if (line === undefined)
    throw new Error(`No line of the file holds the key of "${problem}": write ":line" behind it.`);
  return `${problem}:${line}`;
}

const parentOf = (path: string) => path.split(".").slice(0, -1).join(".");

/** Numbers of the lines with the last key of a path, from its block on. */
function linesOfKey(path: string, content: string): number[] {
  if (path === "") return [1];
  const block = parentOf(path);
  const key = RegExp.escape(path.slice(block === "" ? 0 : block.length + 1));
  const pattern = new RegExp(`${block === "" ? "^[{\"']?" : "[\\s{,\"']"}${key}["']?\\s*:`);
  const start = linesOfKey(block, content)[0] ?? 1;
  return content.split("\n").flatMap((line, index) => (index >= start - 1 && pattern.test(line) ? [index + 1] : []));
}

/** The good file with one text in place of another, a row each. */
export function edits(...rows: [name: string, found: string | RegExp, written: string, ...problems: string[]][]) {
  return files(...rows.map(([name, found, written, ...problems]): Row => [name, edited(found, written), ...problems]));
}

/** The good file with another value at one path, a row each: what the value is, how it is written, the problems. */
export function values(path: string, ...rows: [name: string, written: string, ...problems: string[]][]): BadFile[] {
  return files(
    ...rows.map(([name, written, ...problems]): Row => [`${path}: ${name}`, withValue(path, written), ...problems]),
  );
}
