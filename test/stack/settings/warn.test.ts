import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problemFileVariable } from "@hearth-platform/hearth/core/problem-file";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { runProgram } from "../../support/program.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-warn-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("the program writes what it warns of as data, with its file, where a command asks for it", async () => {
  const file = join(folder, "problems.jsonl");
  vi.stubEnv(problemFileVariable, file);
  // The forge's default gets fixes until the day before.
  vi.stubEnv("SOURCE_DATE_EPOCH", String(Date.UTC(2026, 11, 18) / 1000));
  await runProgram("dev");
  const told = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const warning = { severity: "warning", code: "version-ended", path: "hearth:forge.version" };
  // Under mocks the stack has another name, and so no file to look up lines in.
  expect(told).toContainEqual(
    expect.objectContaining({ ...warning, file: expect.stringMatching(/^Pulumi\..+\.yaml$/) }),
  );
});
