import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { currentArchitecturePage } from "../../tools/architecture-page.ts";

it("the architecture page draws packages and components as the code has them: `npm run generate` writes it", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/explanation/architecture.md"), "utf8");
  expect(currentArchitecturePage(text)).toBe(text);
});

it("a page that lost the marks of a drawing is refused", () => {
  expect(() => currentArchitecturePage("# Architecture")).toThrow('has no marks of "packages"');
});
