import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isTitle, missingTests, readPage, shownRows } from "./support/shown-by.ts";

/** docs/explanation/promises.md and the tests hold together: what a row names is there, and what test/safety shows has its row. */

const rows = shownRows(readPage("promises.md")).map(({ cells: [promise = "", , level = ""], tests }) => ({
  ...{ promise, level, tests },
}));

describe.each(rows)("the row of promises.md, $promise,", ({ tests, level }) => {
  test("is shown by tests that are there, at a level", () => {
    expect(tests.length).toBeGreaterThan(0);
    expect(missingTests(tests)).toEqual([]);
    expect(["unit", "API server", "program"]).toContain(level);
  });
});

test("every file of test/safety shows a promise, but what tests the search itself", () => {
  const files = readdirSync(join(import.meta.dirname, "safety")).filter((name) => name.endsWith(".test.ts"));
  const shown = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)));
  const unshown = files.map((name) => `test/safety/${name}`).filter((file) => !shown.has(file));
  expect(unshown).toEqual(["test/safety/leaks.test.ts"]);
});

test.each([
  ["a test's title", "a.test.ts", 'test("a call is answered 202", () => {', "is answered", true],
  ["a title behind its table", "a.test.ts", 'test.each([\n  ["a"],\n])("%s is a name", () => {', "is a name", true],
  ["a row of a test's table, whole", "a.test.ts", 'test.each([["small", 9]])("%s", () => {', "small", true],
  ["a part of such a row", "a.test.ts", 'test.each([["small", 9]])("%s", () => {', "mall", false],
  ["a name of a table's row", "rows.ts", '  five: office("five seconds", 5),', "five sec", true],
  ["a key of a table", "rows.ts", 'good: { "9 users": suite(9) }', "9 users", true],
  ["code of a test", "a.test.ts", 'test("x", () => {\n  rows.map((row) => row);', "rows.map", false],
  ["a comment", "a.test.ts", "/** a call is answered */", "is answered", false],
  ["a text that a test compares", "a.test.ts", 'test("x", () => expect(y).toBe("a call"));', "a cal", false],
  ["code of a table", "rows.ts", 'set: { enabled: false }, what: "off"', "set: {", false],
])("what a page names is looked for among titles and rows: %s", (_, file, text, words, found) => {
  expect(isTitle(file, text, words)).toBe(found);
});
