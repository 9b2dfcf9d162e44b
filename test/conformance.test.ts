import { describe, expect, test } from "vitest";
import { isThere, missingTests, readPage, shownRows } from "./support/shown-by.ts";

/** docs/explanation/conformance.md and the tests hold together: what a row names is there. */

const page = readPage("conformance.md");

/** Rows of the tables: what is asked, where it is, which tests show it, at which level. */
const rows = shownRows(page).map(({ cells: [asked = "", where = "", , level = ""], tests }) => ({
  ...{ asked, where, tests, level },
}));

test("it has a row for each row and sentence, section by section", () => {
  expect(rows.length).toBeGreaterThanOrEqual(178);
  expect(page.match(/^## /gm)?.length).toBeGreaterThanOrEqual(15);
});

describe.each(rows)("the row of conformance.md on $asked", ({ where, tests, level }) => {
  test("is shown by tests that are there, or says why not", () => {
    expect(missingTests(tests)).toEqual([]);
    if (tests.length === 0) expect(level).toMatch(/difference: |open: |own answer/);
  });

  test("says where it is", () => {
    for (const [, path = ""] of where.matchAll(/`((?:components|webhook|cli|stack|docs|policy|suites)\/[^`*]*)`/g))
      expect(isThere(path), path).toBe(true);
  });
});

test("at most ten rows are differences, each with its reason", () => {
  const differences = rows.filter(({ level }) => level.includes("difference"));
  expect(differences.length).toBeLessThanOrEqual(10);
  for (const { level } of differences) expect(level).toMatch(/difference: .{20,}/);
});
