import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigFile } from "@hearth-platform/stack/config-schema";
import { StackSettings } from "@hearth-platform/stack/stack-schema";
import { settingsPrefix } from "@hearth-platform/stack/stack-source";
import { words } from "./argument-types.ts";
import { jsonSchema } from "./json-schemas.ts";

export interface JsonSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly $ref?: string;
  readonly allOf?: readonly JsonSchema[];
  readonly definitions?: Record<string, JsonSchema>;
  readonly properties?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  /** What holds if the part is enabled. */
  readonly then?: { readonly required?: readonly string[] };
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
}

/** The table of every setting of a stack for docs/settings.md, a row each: path, type, description. */
export function settingsTable(): string {
  return table("Setting", resolved(jsonSchema(StackSettings) as JsonSchema), settingsPrefix);
}

/** The same of every field of config.yaml, for docs/config-file.md. */
export function configTable(): string {
  return table("Field", resolved(jsonSchema(ConfigFile) as JsonSchema), "");
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

function table(noun: string, schema: JsonSchema, prefix: string): string {
  const rows = rowsOf(schema, "").map(({ path, type, meaning }) => `| \`${prefix}${path}\` | ${type} | ${meaning} |`);
  return [`| ${noun} | Type | Meaning |`, "|---|---|---|", ...rows].join("\n");
}

interface Row {
  readonly path: string;
  readonly type: string;
  readonly meaning: string;
}

function rowsOf(schema: JsonSchema, base: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const path = base === "" ? key : `${base}.${key}`;
    const fallback =
      child.default === undefined
        ? ""
        : ` Default: ${typeof child.default === "object" ? words(child.default) : `\`${child.default}\``}.`;
    const meaning = `${child.description ?? ""}${fallback}${requirement(schema, key)}`;
    return [
      { path, type: typeOf(child), meaning },
      ...rowsOf(child, path),
      ...(child.items ? rowsOf(child.items, `${path}[]`) : []),
    ];
  });
}

function requirement({ required, then }: JsonSchema, key: string): string {
  if (required?.includes(key)) return " **Required.**";
  return then?.required?.includes(key) ? " **Required if enabled.**" : "";
}

const types: Readonly<Record<string, string>> = { string: "text", integer: "whole number", number: "number" };

function typeOf({ type, enum: values, items, properties }: JsonSchema): string {
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return items?.type === "string" ? "list of text" : "list";
  if (type === "object") return properties ? "block" : "map";
  return types[type ?? ""] ?? "true or false";
}

/** A page with its table of settings as it is now. @throws Error where the page has no such table */
export function withTable(page: string, rows: string): string {
  const [head = ""] = rows.split("\n");
  const before = page.indexOf(head);
  if (before < 0) throw new Error(`The page has no table that starts with ${head}`);
  const after = page.slice(before).search(/\n(?!\|)/);
  return page.slice(0, before) + rows + (after < 0 ? "\n" : page.slice(before + after));
}

if (import.meta.main)
  for (const [name, rows] of [
    ["settings.md", settingsTable()],
    ["config-file.md", configTable()],
  ] as const) {
    const page = join(import.meta.dirname, "..", "docs", name);
    writeFileSync(page, withTable(readFileSync(page, "utf8"), rows));
  }
