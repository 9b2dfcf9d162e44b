import { describe, expect, it } from "vitest";
import { allBadFiles, badFiles } from "./corpus/bad-files.ts";
import { brief, check } from "./suite-file.ts";

for (const [kind, files] of Object.entries(badFiles))
  describe(`a config.yaml with a problem of ${kind}`, () => {
    it.each(files.map((file) => [file.name, file] as const))("is refused: %s", (_, { content, context, problems }) => {
      const found = check(content, context).problems;
      expect(found.map(brief)).toEqual(problems);
      // The secrets that some of them hold.
      expect(JSON.stringify(found)).not.toContain("hunter2");
    });
  });

it("the corpus of bad files has more than 300, some with secrets", () => {
  expect(allBadFiles.length).toBeGreaterThan(300);
  expect(allBadFiles.filter(({ content }) => content.includes("hunter2" as never)).length).toBeGreaterThan(3);
});
