import { expect, it } from "vitest";
import { staleFiles, withParts } from "../tools/generate.ts";

it("every generated file of the checkout is as its source has it: `npm run generate`", async () => {
  expect([...(await staleFiles("own")).keys()]).toEqual([]);
});

it("a page that lost the marks of a generated part is refused", () => {
  const parts = new Map([["packages", "drawn"]]);
  expect(() => withParts("docs/architecture.md", "# Architecture", parts)).toThrow(
    'docs/architecture.md has no marks of "packages".',
  );
});
