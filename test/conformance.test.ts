import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** docs/conformance.md and the tests hold together: what a row names is there. */

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/conformance.md"), "utf8");

/** Rows of the tables: what is asked, where it is, which tests show it, at which level. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| asked |"))
  .map((line) => {
    const [asked = "", where = "", shown = "", level = ""] = line.slice(2, -2).split(" | ");
    const tests = [...shown.matchAll(/`([\w./-]+): ([^`]+)`/g)].map(([, file = "", words = ""]) => ({ file, words }));
    return { asked, where, tests, level };
  });

test("it has a row for each row and sentence, section by section", () => {
  expect(rows.length).toBeGreaterThanOrEqual(178);
  expect(page.match(/^## /gm)?.length).toBeGreaterThanOrEqual(15);
});

describe.each(rows)("$asked", ({ where, tests, level }) => {
  test("is shown by tests that are there, or says why not", () => {
    for (const { file, words } of tests) {
      expect(existsSync(join(root, file)), file).toBe(true);
      expect(readFileSync(join(root, file), "utf8"), file).toContain(words);
    }
    if (tests.length === 0) expect(level).toMatch(/difference: |open: |own answer/);
  });

  test("says where it is", () => {
    for (const [, path = ""] of where.matchAll(/`((?:components|webhook|cli|stack|docs|policy|suites)\/[^`*]*)`/g))
      expect(existsSync(join(root, path)), path).toBe(true);
  });
});

test("at most ten rows are differences, each with its reason", () => {
  const differences = rows.filter(({ level }) => level.includes("difference"));
  expect(differences.length).toBeLessThanOrEqual(10);
  for (const { level } of differences) expect(level).toMatch(/difference: .{20,}/);
});
