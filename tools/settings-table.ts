import { ConfigFile } from "@hearth-platform/stack/config-schema";
import { StackSettings } from "@hearth-platform/stack/stack-schema";
import { settingsPrefix } from "@hearth-platform/stack/stack-source";
import { z } from "zod";

interface JsonSchema {
  readonly description?: string;
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
  return table("Setting", z.toJSONSchema(StackSettings) as JsonSchema, settingsPrefix);
}

/** The same of every field of config.yaml, for docs/config-file.md. */
export function configTable(): string {
  return table("Field", z.toJSONSchema(ConfigFile) as JsonSchema, "");
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
    const meaning = `${child.description ?? ""}${requirement(schema, key)}`;
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

if (import.meta.main) process.stdout.write(`${process.argv[2] === "config" ? configTable() : settingsTable()}\n`);
