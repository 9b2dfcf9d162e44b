import { PolicyConfiguration } from "@hearth-platform/cli/policies/configuration";
import { SmokeOutput } from "@hearth-platform/cli/smoke/schema";
import { StatusOutput } from "@hearth-platform/cli/status/schema";
import { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import { z } from "zod";
import { unwrapped } from "./argument-types.ts";

/** JSON Schemas for editors, by file. Draft 7 is what YAML language servers understand. */
export function jsonSchemas(): Map<string, string> {
  return new Map([
    ["schemas/config.schema.json", printed(jsonSchema(ConfigFile))],
    ["schemas/stack.schema.json", printed(stackFileSchema())],
    ["schemas/policies.schema.json", printed(jsonSchema(PolicyConfiguration))],
    ["schemas/status.schema.json", printed(jsonSchema(StatusOutput))],
    ["schemas/smoke.schema.json", printed(jsonSchema(SmokeOutput))],
  ]);
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
      // The largest number that zod takes for whole is no bound of ours.
      if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
      if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
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
