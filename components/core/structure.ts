import type { z } from "zod";
import { formatPath, type Path } from "./paths.ts";
import { alternatives, error, type Problem, shown } from "./problems.ts";
import { details } from "./schema.ts";
import { suggest } from "./suggest.ts";

/** Checks a value's shape against its schema: required fields, types, unknown keys. */
export interface Structure<T> {
  /** The value as the schema has it; absent where there is a problem. */
  readonly value?: T;
  /** The value without keys that the schema does not know, for rules: these pass over what has not its type. */
  readonly known: unknown;
  readonly problems: Problem[];
}

/**
 * Holds a value against a schema and tells every problem in our words.
 * @param source the scalar at a path as it is written in the file, for hints on quoting
 */
export function checkStructure<S extends z.ZodType>(
  schema: S,
  value: unknown,
  source: (path: Path) => string | undefined = () => undefined,
): Structure<z.input<S>> {
  const result = schema.safeParse(value);
  if (result.success) return { value: value as z.input<S>, known: value, problems: [] };
  const issues = result.error.issues;
  const unknown = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key] as Path) : [],
  );
  return {
    known: without(value, unknown),
    problems: issues.flatMap((issue) => problemsOf(schema, value, issue, source)),
  };
}

function problemsOf(
  schema: z.ZodType,
  root: unknown,
  issue: z.core.$ZodIssue,
  source: (path: Path) => string | undefined,
): Problem[] {
  const path = issue.path as Path;
  const text = formatPath(path);
  const found = valueAt(root, path);
  const meta = schemaAt(schema, path)?.meta();
  const purpose = meta?.description ? ` ${meta.description}` : "";
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(schema, path, key));
  if (found === undefined) return [error("missing", text, "The field is missing.", `Add it.${purpose}`)];
  const holdsSecret = secretKey.test(String(path.at(-1))) || keysOf(schemaAt(schema, path)).join() === "name,key";
  // `yes` is a text in YAML 1.2.
  const isSwitch = typeof found === "string" && /^(yes|no|on|off|true|false)$/i.test(found);
  if (typeof found === "string" && issue.code === "invalid_type" && holdsSecret && !isSwitch)
    return [
      error(
        "secret",
        text,
        "The value is a secret in clear text.",
        "Name the Secret and the key that hold it ({ name, key }). Change the secret too, because it was in a file.",
      ),
    ];
  if (issue.code === "invalid_type") {
    const expected = typeNames[issue.expected] ?? issue.expected;
    // A block may have a key `toString`.
    const written = source(path) ?? (typeof found === "object" ? "" : String(found));
    const quoting = issue.expected === "string" && typeof found !== "object" && allows(meta, written);
    const remedy = quoting ? "Put it in quotes." : `Write ${expected}.${purpose}`;
    return [error("type", text, `Found ${kind(found)}, not ${expected}.`, remedy)];
  }
  if (issue.code === "invalid_value")
    return [error("value", text, "The value is not allowed.", `Write ${alternatives(issue.values.map(String))}.`)];
  if (issue.code === "too_small" && found === "")
    return [error("value", text, "The text is empty.", `Write it, or leave the field out.${purpose}`)];
  return [error("value", text, "The value is not allowed.", `${bound(issue) ?? issue.message}.${purpose}`)];
}

/** The bound that a number is beyond. */
function bound(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "too_small") return `Write ${issue.minimum} or more`;
  return issue.code === "too_big" ? `Write ${issue.maximum} or less` : undefined;
}

/** Whether a text is what the field wants, as far as its schema tells editors. */
function allows(meta: Readonly<Record<string, unknown>> | undefined, text: string): boolean {
  if (Array.isArray(meta?.enum)) return meta.enum.includes(text);
  return typeof meta?.pattern !== "string" || new RegExp(meta.pattern).test(text);
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "a block of keys",
  record: "a block of keys",
  array: "a list",
};

function kind(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a block of keys";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

/** Keys of secrets, which no settings file has; the value is never shown. */
const secretKey = /passw|passphrase|secret|token|credential|(access|private|api).?key/i;

function unknownKey(schema: z.ZodType, parent: Path, key: string): Problem {
  const holder = schemaAt(schema, parent);
  const known = keysOf(holder);
  const { setBy = {} } = (holder && details.get(inner(holder))) ?? {};
  if (Object.hasOwn(setBy, key))
    return error(
      "unknown-key",
      formatPath([...parent, key]),
      `The key ${shown(key)} follows from another setting.`,
      `Remove it: ${setBy[key]}.`,
    );
  const likely = suggest(key, known) ?? (secretKey.test(key) ? undefined : longer(key, known));
  const elsewhere = (likely === undefined ? (fieldsOf(schema).get(key.trim()) ?? []) : []).map(formatPath);
  const at = formatPath([...parent, key]);
  if (likely === undefined && secretKey.test(key))
    return error(
      "secret",
      at,
      `The key ${shown(key)} looks like a secret.`,
      "Remove it, and change the secret, because it was in a file. Secrets come from `platform.secrets`.",
    );
  const remedy =
    likely !== undefined
      ? `Did you mean ${likely}?`
      : elsewhere.length === 1
        ? `Did you mean ${elsewhere[0]}?`
        : // One of several would be a guess.
          `Known here: ${known.join(", ")}.${elsewhere.length > 1 ? ` Elsewhere: ${alternatives(elsewhere.slice(0, 4))}.` : ""}`;
  return error("unknown-key", at, `Unknown key ${shown(key)}.`, remedy);
}

/** The key that has a word before this one: `siteWebhook` for `webhook`, with what follows a dot, as in a chart's `webhook.domain`. */
function longer(key: string, known: readonly string[]): string | undefined {
  const [first = "", ...rest] = key.split(".");
  const word = first.charAt(0).toUpperCase() + first.slice(1);
  const found = known.find((each) => first.length > 3 && each.endsWith(word));
  return found && [found, ...rest].join(".");
}

type Definition = {
  type: string;
  innerType?: z.ZodType;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  valueType?: z.ZodType;
};

const definition = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema below `optional` and `default`. */
function inner(schema: z.ZodType): z.ZodType {
  const { innerType } = definition(schema);
  return innerType ? inner(innerType) : schema;
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const { shape, element, valueType } = definition(inner(schema));
  const next = typeof key === "number" ? element : shape && Object.hasOwn(shape, key) ? shape[key] : valueType;
  return next && schemaAt(next, rest);
}

function keysOf(schema: z.ZodType | undefined): string[] {
  return schema ? Object.keys(definition(inner(schema)).shape ?? {}) : [];
}

const fields = new WeakMap<z.ZodType, ReadonlyMap<string, Path[]>>();

/** The places of each field by its name, found once for a schema. */
function fieldsOf(schema: z.ZodType): ReadonlyMap<string, Path[]> {
  const known = fields.get(schema) ?? Map.groupBy(allPaths(schema), (path) => String(path.at(-1)));
  fields.set(schema, known);
  return known;
}

function allPaths(schema: z.ZodType, base: Path = []): Path[] {
  const { shape = {} } = definition(inner(schema));
  return Object.entries(shape).flatMap(([key, child]) => [[...base, key], ...allPaths(child, [...base, key])]);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((current, key) => {
    const known = typeof current === "object" && current !== null && Object.hasOwn(current, key);
    return known ? (current as Record<string | number, unknown>)[key] : undefined;
  }, value);
}

/** A copy of plain data without the values at `paths`. */
export function without(value: unknown, paths: readonly Path[]): unknown {
  if (paths.some((path) => path.length === 0)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  const child = (key: string | number, item: unknown) =>
    without(
      item,
      paths.filter((path) => path[0] === key).map((path) => path.slice(1)),
    );
  if (Array.isArray(value)) return value.map((item, index) => child(index, item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, child(key, item)]));
}
