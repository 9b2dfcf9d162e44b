import { expect, it } from "vitest";
import { jsonSchemas } from "../../tools/json-schemas.ts";
import { resolved } from "../../tools/settings-table.ts";

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
  for (const [name, content] of jsonSchemas())
    expect(
      bare(resolved(JSON.parse(content)), name).filter((path) => path !== "schemas/stack.schema.json.config"),
    ).toEqual([]);
});
