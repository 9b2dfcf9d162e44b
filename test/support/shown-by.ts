import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Pages whose tables say which tests show what they promise. */

const root = join(import.meta.dirname, "../..");

/** A test as a page names it: its file, and words of its title. The file may also be a table, whose rows are tests by their names. */
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
  return tests.filter(
    ({ file, words }) => !isThere(file) || !isTitle(file, readFileSync(join(root, file), "utf8"), words),
  );
}

const literal = /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/;
/** `test("…"`, `it.concurrent("…"`, `describe.each(rows)("…"`. */
const titles = new RegExp(
  String.raw`(?:\b(?:test|it|describe)(?:\.\w+)?\(\s*(${literal.source})|\)\(\s*(${literal.source}),\s*(?:async\b|\(|\{|[\w$]+ =>))`,
  "g",
);
/** The name with which a row of a test's table begins. */
const rowNames = new RegExp(String.raw`\[\s*(${literal.source}),`, "g");
const texts = new RegExp(`(${literal.source})`, "g");

/** Whether words are of a test's title in a file of tests, or a row's whole name there. Of another file, a table, they are in one of its texts. */
export function isTitle(file: string, text: string, words: string): boolean {
  const found = (pattern: RegExp) =>
    [...text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "").matchAll(pattern)].map(([, one, other]) =>
      (one ?? other ?? "").slice(1, -1),
    );
  if (!file.endsWith(".test.ts")) return found(texts).some((each) => each.includes(words));
  return found(titles).some((title) => title.includes(words)) || found(rowNames).includes(words);
}

/** Whether a path of the checkout is there. */
export const isThere = (path: string) => existsSync(join(root, path));
