/** A value of a PHP configuration file. */
export type PhpValue = string | number | boolean | PhpExpression | readonly PhpValue[] | PhpArray;

/** An array with string keys, in their order. */
export interface PhpArray {
  readonly [key: string]: PhpValue;
}

/** PHP code that yields a value at run time, so that a secret is never in the file. */
export interface PhpExpression {
  readonly expression: string;
}

/** The value of the environment variable `name`, read each time the file is loaded. */
export function environmentVariable(name: string): PhpExpression {
  return { expression: `getenv(${literal(name)})` };
}

/**
 * A file that Nextcloud merges over its config.php: `<?php $CONFIG = [...];`, nothing before and nothing after,
 * since output would break every page. (nextcloud/server lib/private/Config.php)
 */
export function phpConfiguration(values: PhpArray): string {
  return `<?php\n$CONFIG = ${phpValue(values, "")};\n`;
}

function phpValue(value: PhpValue, indent: string): string {
  if (typeof value === "string") return literal(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (isExpression(value)) return value.expression;
  const inner = `${indent}  `;
  const items = isList(value)
    ? value.map((item) => phpValue(item, inner))
    : Object.entries(value).map(([key, item]) => `${literal(key)} => ${phpValue(item, inner)}`);
  return items.length === 0 ? "[]" : `[\n${items.map((item) => `${inner}${item},\n`).join("")}${indent}]`;
}

/** A single-quoted PHP string, in which only the quote and the backslash are special. */
function literal(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function isExpression(value: PhpExpression | readonly PhpValue[] | PhpArray): value is PhpExpression {
  return "expression" in value && Object.keys(value).length === 1;
}

function isList(value: readonly PhpValue[] | PhpArray): value is readonly PhpValue[] {
  return Array.isArray(value);
}
