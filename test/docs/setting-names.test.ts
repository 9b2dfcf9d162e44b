import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { expect, test } from "vitest";
import { jsonSchema } from "../../tools/json-schemas.ts";
import { type JsonSchema, resolved } from "../../tools/settings-table.ts";
import { pages } from "../support/pages.ts";

const settings = resolved(jsonSchema(StackSettings) as JsonSchema);

/** Whether the settings have this path: `forge.replicas.webservice`, `hub.projects[].name`, `cloudsuites[0].users`. */
function isSetting(path: string): boolean {
  const found = path
    .replaceAll(/\[\d*\]/g, "")
    .split(".")
    .reduce<JsonSchema | undefined>((schema, key) => {
      const inner = schema?.items ?? schema;
      return inner?.properties?.[key] ?? (inner?.properties ? undefined : inner?.additionalProperties);
    }, settings);
  return found !== undefined;
}

test("every setting that a page names is one", () => {
  // The history names settings as they were called.
  const named = pages()
    .filter(({ file }) => file !== "CHANGELOG.md")
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\bhearth:(?!index:)(\w+(?:\[\d*\])?(?:\.\w+(?:\[\d*\])?)*)/g)].map(([, path = ""]) => ({
        file,
        path,
      })),
    );
  expect(named.length).toBeGreaterThan(200);
  expect(named.filter(({ path }) => !isSetting(path))).toEqual([]);
});
