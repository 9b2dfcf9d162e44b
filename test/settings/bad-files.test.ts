import { describe, expect, it } from "vitest";
import { allBadFiles, badFiles } from "./corpus/bad-files.ts";
import { check, faultsOf } from "./suite-file.ts";

for (const [kind, files] of Object.entries(badFiles))
  describe(`a config.yaml with a fault of ${kind}`, () => {
    it.each(files.map((file) => [file.name, file] as const))("%s", (_, { content, context, faults }) => {
      expect(faultsOf(content, context)).toEqual(faults);
    });
  });

describe("the corpus of bad files", () => {
  it("has more than 300", () => {
    expect(allBadFiles.length).toBeGreaterThan(300);
  });

  it("shows no secret of any of them", () => {
    for (const { name, content, context } of allBadFiles)
      expect(JSON.stringify(check(content, context).faults), name).not.toContain("hunter2");
  });
});
