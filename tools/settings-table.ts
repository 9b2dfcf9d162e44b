import { z } from "zod";
import { StackSettings } from "../settings/stack-schema.ts";

interface JsonSchema {
  readonly description?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly type?: string;
  readonly enum?: readonly string[];
}

/** The table of every setting for docs/settings.md, a row each: path, type, description. */
export function settingsTable(): string {
  const rows = rowsOf(z.toJSONSchema(StackSettings) as JsonSchema, "");
  return ["| Setting | Type | Meaning |", "|---|---|---|", ...rows].join("\n");
}

function rowsOf(schema: JsonSchema, base: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, child]) => {
    const path = base === "" ? `hearth:${key}` : `${base}.${key}`;
    const required = schema.required?.includes(key) ? " **Required.**" : "";
    const row = `| \`${path}\` | ${typeOf(child)} | ${child.description ?? ""}${required} |`;
    return [row, ...rowsOf(child, path), ...(child.items ? rowsOf(child.items, `${path}[]`) : [])];
  });
}

function typeOf({ type, enum: values, items, properties }: JsonSchema): string {
  if (values) return values.map((value) => `\`${value}\``).join(", ");
  if (type === "array") return items?.type === "string" ? "list of text" : "list";
  if (type === "object") return properties ? "block" : "map";
  return type === "string" ? "text" : type === "integer" ? "whole number" : "true or false";
}

if (import.meta.main) process.stdout.write(`${settingsTable()}\n`);
