import { describe, expect, it } from "vitest";
import { argumentTypes } from "../../tools/argument-types.ts";

const written = await argumentTypes();

describe("the argument interfaces", () => {
  it("give every argument that may be left out its default", () => {
    const silent = [...written].flatMap(([file, text]) =>
      [...text.matchAll(/\/\*\*([^\n]*)\*\/\n {2}(\w+)\?:/g)]
        .filter(([, said = ""]) => !said.includes("@default"))
        .map(([, , key]) => `${file}: ${key}`),
    );
    expect(silent).toEqual([]);
  });
});
