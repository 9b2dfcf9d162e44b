import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("docs/reference/settings.md has a row for each output of the program, and no other", () => {
  const outputs = [...read("index.ts").matchAll(/^export const (\w+)/gm)].map(([, name]) => name);
  const [, section = ""] = read("docs/reference/settings.md").split("## Outputs");
  const [table = ""] = section.split("\n## ");
  const rows = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rows.sort()).toEqual(outputs.sort());
});

test.each([
  ["forge", ["endpoints", "administrator", "user", "password"]],
  ["hub", ["endpoints", "login", "robots", "administrator", "user", "password"]],
])("its row of %s names what the program gives", (output, keys) => {
  const [, body = ""] = read("index.ts").split(`export const ${output} =`);
  const [given = ""] = body.split("export const");
  const row = read("docs/reference/settings.md")
    .split("\n")
    .find((line) => line.startsWith(`| \`${output}\` |`));
  for (const key of keys) {
    expect(given, key).toMatch(new RegExp(`\\b${key}\\b`));
    expect(row, key).toContain(`\`${key}\``);
  }
});
