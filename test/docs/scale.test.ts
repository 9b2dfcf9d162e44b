import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { currentScalePage } from "../../tools/scale-page.ts";

it("the page on scale counts the parts as they are planned: `npm run generate` writes it", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/explanation/scale.md"), "utf8");
  expect(currentScalePage(text)).toBe(text);
});
