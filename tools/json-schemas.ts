import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PolicyConfiguration } from "@hearth-platform/cli/policies/configuration";
import { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { settingsPrefix } from "@hearth-platform/stack/settings/stack-source";
import { z } from "zod";
import { unwrapped } from "./argument-types.ts";

/** JSON Schemas for editors, by file name. Draft 7 is what YAML language servers understand. */
export function jsonSchemas(): Record<string, string> {
  return {
    "config.schema.json": printed(jsonSchema(ConfigFile)),
    "stack.schema.json": printed(stackFileSchema()),
    "policies.schema.json": printed(jsonSchema(PolicyConfiguration)),
  };
}

/** A schema as JSON Schema; what holds where a value is left out is said in its description. */
export function jsonSchema(schema: z.ZodType): z.core.JSONSchema.JSONSchema {
  return z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema: json }) => {
      const { otherwise } = unwrapped(zodSchema as unknown as z.ZodType);
      if (otherwise !== undefined && json.default === undefined && json.description)
        json.description = `${json.description} Default: ${otherwise.replace(/^(\w+): /, "$1, ")}.`;
    },
  });
}

/** The schema of a whole `Pulumi.<stack>.yaml`: our settings with their prefix; Pulumi's and providers' own keys may be anything. */
function stackFileSchema() {
  const { $schema, title, description, properties = {}, required = [], definitions } = jsonSchema(StackSettings);
  const prefixed = Object.entries(properties).map(([key, schema]) => [`${settingsPrefix}${key}`, schema]);
  return {
    $schema,
    title,
    description,
    type: "object",
    properties: {
      config: {
        type: "object",
        properties: Object.fromEntries(prefixed),
        required: required.map((key) => `${settingsPrefix}${key}`),
        // A misspelt setting of ours is marked; other prefixes are not ours to judge.
        patternProperties: { [`^(?!${settingsPrefix})`]: {} },
        additionalProperties: false,
      },
    },
    required: ["config"],
    definitions,
  };
}

function printed(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

if (import.meta.main)
  for (const [name, content] of Object.entries(jsonSchemas()))
    writeFileSync(join(import.meta.dirname, "..", "schemas", name), content);
