import { ConfigFile } from "@hearth-platform/stack/areas/suites/config-schema";
import { settingsPrefix } from "@hearth-platform/stack/settings/setting-names";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import type { z } from "zod";
import { boundsOf, withExample, words } from "./argument-types.ts";
import { jsonSchema } from "./json-schemas.ts";

export interface JsonSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly definitions?: Record<string, JsonSchema>;
  readonly properties?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema;
  readonly required?: readonly string[];
  /** Default if the part is enabled. */
  readonly then?: { readonly required?: readonly string[] };
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

/** Every setting of a stack for docs/reference/settings.md: a section an area, a row a setting, by its path in the area. */
export function settingsTables(): string {
  const { properties = {}, required } = resolved(jsonSchema(StackSettings) as JsonSchema);
  const areas = Object.entries(properties).filter(([, schema]) => innerOf(schema));
  const single = Object.fromEntries(Object.entries(properties).filter(([, schema]) => !innerOf(schema)));
  return [
    "### One value each",
    "",
    table("Setting", { properties: single, required }, settingsPrefix),
    ...areas.flatMap(([key, schema]) => [
      "",
      `### \`${settingsPrefix}${key}\``,
      "",
      `${meaningOf(schema).meaning}${schema.items ? " A list; below are the settings of each entry." : ""}${required?.includes(key) ? " **Required.**" : ""}`,
      "",
      table("Setting", innerOf(schema) ?? {}, ""),
    ]),
    "",
    "### Shapes",
    "",
    ...Object.values(shapes).flatMap(({ heading, text }) => [`#### ${heading}`, "", text, ""]),
  ]
    .join("\n")
    .trimEnd();
}

/** Every field of config.yaml, for docs/reference/config-file.md. */
export function configTable(): string {
  return table("Field", resolved(jsonSchema(ConfigFile) as JsonSchema), "", { shaped: false });
}

/** Types that many settings share, described once; their keys identify them. */
const shapes: Readonly<Record<string, { readonly heading: string; readonly link: string; readonly text: string }>> = {
  "requests,limits": {
    heading: "Resources",
    link: "[resources](#resources)",
    text: "Requests are what a container reserves on its node, limits the most it may use: `requests.cpu`, `requests.memory`, `limits.cpu` and `limits.memory`. All four are required. CPU is in millicores (`200m`), memory has a binary suffix (`512Mi`). Above its CPU limit a container is throttled; above its memory limit it is killed.",
  },
  "name,key": {
    heading: "Secret keys",
    link: "[secret key](#secret-keys)",
    text: "A reference to a secret value: `name` of the Secret and `key` in it. The value itself is never in the settings.",
  },
};

/** The block below a setting: its own, or that of each entry of a list. */
function innerOf(schema: JsonSchema): JsonSchema | undefined {
  if (schema.properties) return schema;
  return schema.items?.properties ? schema.items : undefined;
}

/** A schema with its definitions in their places. */
export function resolved(schema: JsonSchema, definitions = schema.definitions ?? {}): JsonSchema {
  const reference = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref)?.$ref;
  const { $ref: _, ...own } = schema;
  const whole = reference ? { ...definitions[reference.slice(reference.lastIndexOf("/") + 1)], ...own } : schema;
  return {
    ...whole,
    ...(whole.properties && {
      properties: Object.fromEntries(
        Object.entries(whole.properties).map(([key, inner]) => [key, resolved(inner, definitions)]),
      ),
    }),
    ...(whole.items && { items: resolved(whole.items, definitions) }),
  };
}

/** @param shaped whether the shapes that stand on their own are linked, instead of being written out */
function table(noun: string, schema: JsonSchema, prefix: string, { shaped = true } = {}): string {
  const rows = rowsOf(schema, "", shaped).map(
    ({ path, type, standard, meaning }) => `| \`${prefix}${path}\` | ${type} | ${standard} | ${meaning} |`,
  );
  return [`| ${noun} | Type | Default | Meaning |`, "|---|---|---|---|", ...rows].join("\n");
}

interface Row {
  readonly path: string;
  readonly type: string;
  /** Default if it is omitted. */
  readonly standard: string;
  readonly meaning: string;
}

function rowsOf(schema: JsonSchema, base: string, shaped: boolean): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const path = base === "" ? key : `${base}.${key}`;
    const shape = shaped ? shapes[Object.keys(child.properties ?? {}).join()] : undefined;
    const { meaning, standard } = meaningOf(child);
    return [
      { path, type: shape?.link ?? typeOf(child), standard: requirement(schema, key) ?? standard, meaning },
      ...(shape ? [] : rowsOf(child, path, shaped)),
      ...(child.items ? rowsOf(child.items, `${path}[]`, shaped) : []),
    ];
  });
}

/** A description, and the default that it ends with where that is no plain value. */
function meaningOf({ description = "", default: value, examples }: JsonSchema): { meaning: string; standard: string } {
  const [sentence = "", said = ""] = description.split(" Default: ");
  const plain = typeof value === "object" ? words(value) : `\`${value}\``;
  const standard = value === undefined ? said.replace(/\.$/, "") : plain;
  return { meaning: withExample(sentence, { examples, otherwise: standard }), standard };
}

function requirement({ required, then }: JsonSchema, key: string): string | undefined {
  if (required?.includes(key)) return "**required**";
  return then?.required?.includes(key) ? "**required if enabled**" : undefined;
}

const types: Readonly<Record<string, string>> = { string: "text", integer: "whole number", number: "number" };

function typeOf(schema: JsonSchema): string {
  const { type, enum: values, items, properties } = schema;
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return items?.type === "string" ? "list of text" : "list";
  if (type === "object") return properties ? "block" : "map";
  const bounds = boundsOf(schema as z.core.JSONSchema.JSONSchema)?.replace(/^./, (letter) => letter.toLowerCase());
  return [types[type ?? ""] ?? "true or false", ...(bounds ? [bounds] : [])].join(", ");
}
