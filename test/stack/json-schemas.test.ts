import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jsonSchemas } from "../../tools/json-schemas.ts";
import { resolved, settingsTables } from "../../tools/settings-table.ts";

const folder = join(import.meta.dirname, "../../schemas");

it("the committed JSON Schemas are those of today's settings; `npm run generate` writes them", () => {
  const schemas = jsonSchemas();
  expect(readdirSync(folder).sort()).toEqual(Object.keys(schemas).sort());
  for (const [name, content] of Object.entries(schemas))
    expect(JSON.parse(readFileSync(join(folder, name), "utf8"))).toEqual(JSON.parse(content));
});

it("every setting has a description for editors", () => {
  const bare = (schema: unknown, path: string): string[] => {
    if (typeof schema !== "object" || schema === null) return [];
    const { properties = {}, items } = schema as {
      properties?: Record<string, { description?: string }>;
      items?: unknown;
    };
    return [
      ...Object.entries(properties).flatMap(([key, child]) => [
        ...(child.description ? [] : [`${path}.${key}`]),
        ...bare(child, `${path}.${key}`),
      ]),
      ...bare(items, `${path}[]`),
    ];
  };
  for (const [name, content] of Object.entries(jsonSchemas()))
    expect(bare(resolved(JSON.parse(content)), name).filter((path) => path !== "stack.schema.json.config")).toEqual([]);
});

it("docs/reference/settings.md has every setting; `npm run generate` writes them", () => {
  const docs = readFileSync(join(import.meta.dirname, "../../docs/reference/settings.md"), "utf8");
  expect(docs).toContain(settingsTables());
});
