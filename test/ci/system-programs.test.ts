import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aptLine, filesWithout, missingPrograms, needed } from "../support/system-programs.ts";

const root = join(import.meta.dirname, "../..");

it("every program of the tests names test files that are there", () => {
  for (const { program, files } of needed) {
    expect(files.length, program).toBeGreaterThan(0);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  }
});

it("a machine that lacks all of them is told one line that installs them, and which tests go without", () => {
  const missing = missingPrograms(join(root, "docs"), []);
  expect(missing).toEqual(needed);
  expect(aptLine(missing, true)).toMatch(/^apt-get update && apt-get install -y --no-install-recommends git buildah /);
  expect(aptLine(missing, false)).toMatch(/^sudo apt-get update && sudo apt-get install /);
  expect(filesWithout(missing).get("test/cli/completion.test.ts")).toEqual(["fish", "zsh"]);
  expect(filesWithout([])).toEqual(new Map());
});
