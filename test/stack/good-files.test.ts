import { synthesize } from "@hearth-platform/cli/validate/synthesis";
import { describe, expect, it } from "vitest";
import { goodFiles } from "./corpus/good-files.ts";
import { check } from "./suite-file.ts";

describe("a config.yaml that is as good as any", () => {
  it.each(goodFiles.map((file) => [file.name, file] as const))("is taken: %s", (_, { content, normal }) => {
    const { config, problems } = check(content);
    expect(problems).toEqual([]);
    expect(config).toEqual(normal);
  });

  it("has manifests", () => {
    // Most say the same in other ways.
    const different = new Map(goodFiles.map(({ normal, content }) => [JSON.stringify(normal), content]));
    expect(different.size).toBeGreaterThan(15);
    for (const content of different.values()) {
      const { config } = check(content);
      expect(config && synthesize(config, {}).length, content).toBeGreaterThan(20);
    }
  });

  it("comes in more than 60 ways", () => {
    expect(goodFiles.length).toBeGreaterThan(60);
  });
});
