import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Pages whose tables say which tests show what they promise. */

const root = join(import.meta.dirname, "../..");

/** A test as a page names it: its file, and words that stand in it. */
export interface NamedTest {
  readonly file: string;
  readonly words: string;
}

/** A row of such a table. */
export interface ShownRow {
  readonly cells: readonly string[];
  readonly tests: readonly NamedTest[];
}

/** A page of docs/explanation/ as it stands. */
export const readPage = (name: string) => readFileSync(join(root, "docs/explanation", name), "utf8");

/** The rows of a page's tables, without their headings. */
export function shownRows(page: string): ShownRow[] {
  const lines = page.split("\n");
  const isRow = (line: string) => line.startsWith("| ");
  return lines
    .filter((line, index) => isRow(line) && !/^\|-/.test(lines[index + 1] ?? ""))
    .map((line) => {
      const tests = [...line.matchAll(/`([\w./-]+): ([^`]+)`/g)];
      return {
        cells: line.slice(2, -2).split(" | "),
        tests: tests.map(([, file = "", words = ""]) => ({ file, words })),
      };
    });
}

/** The named tests that are not there. */
export function missingTests(tests: readonly NamedTest[]): NamedTest[] {
  return tests.filter(({ file, words }) => !isThere(file) || !readFileSync(join(root, file), "utf8").includes(words));
}

/** Whether a path of the checkout is there. */
export const isThere = (path: string) => existsSync(join(root, path));
