import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { argumentTypes } from "../../tools/argument-types.ts";

const components = join(import.meta.dirname, "../../components");
const written = await argumentTypes();

describe("the argument interfaces", () => {
  it.each([...written])("of %s are those of its schema; `npm run generate` writes them", (file, text) => {
    expect(readFileSync(join(components, file), "utf8")).toBe(text);
  });

  it("give every argument that may be left out its default", () => {
    const silent = [...written].flatMap(([file, text]) =>
      [...text.matchAll(/\/\*\*([^\n]*)\*\/\n {2}(\w+)\?:/g)]
        .filter(([, said = ""]) => !said.includes("@default"))
        .map(([, , key]) => `${file}: ${key}`),
    );
    expect(silent).toEqual([]);
  });
});
