import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { missingTests, readPage, shownRows } from "./support/shown-by.ts";

/** docs/explanation/promises.md and the tests hold together: what a row names is there, and what test/safety shows has its row. */

const rows = shownRows(readPage("promises.md")).map(({ cells: [promise = "", , level = ""], tests }) => ({
  ...{ promise, level, tests },
}));

describe.each(rows)("$promise", ({ tests, level }) => {
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
