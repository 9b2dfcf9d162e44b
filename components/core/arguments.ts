import { z } from "zod";
import type { Known } from "./known.ts";
import { formatPath, isWithin, type Path } from "./paths.ts";
import type { Problem } from "./problems.ts";
import { details } from "./schema.ts";
import { checkStructure } from "./structure.ts";
import { controlCharacters } from "./value-rules.ts";

/** What fits together among arguments; each rule gives its problems. */
export type ArgumentRule<Args> = (args: Known<Args>) => readonly Problem[];

/**
 * Everything wrong with arguments as far as they are known: each value by the rule in its schema, then what does not fit together.
 * Missing and mistyped values are `checkStructure`'s matter.
 */
export function judged<S extends z.ZodType>(
  schema: S,
  rules: readonly ArgumentRule<z.input<S>>[],
): (args: Known<z.input<S>>) => Problem[] {
  return (args) => distinct([...valueProblems(schema, args), ...rules.flatMap((rule) => rule(args))]);
}

/**
 * Everything wrong with the arguments of a component: unknown, missing and mistyped ones, then what its rules say of the rest.
 * @param problemsOf what `judged` gives
 */
export function checkArguments<S extends z.ZodType>(
  schema: S,
  args: z.input<S>,
  problemsOf: (args: Known<z.input<S>>) => readonly Problem[],
): Problem[] {
  const { sound, problems } = checkStructure(schema, args);
  const rest = problemsOf((sound ?? {}) as Known<z.input<S>>);
  return [...problems, ...rest.filter(({ path }) => !problems.some((other) => isWithin(path, other.path)))];
}

/** What the rules in a schema say of each value. Values of a wrong type are passed over. */
export function valueProblems(schema: z.ZodType, value: unknown, path: Path = []): Problem[] {
  if (value === undefined) return [];
  const inner = below(schema);
  const rule = details.get(inner)?.rule as ((path: string, value: unknown) => readonly Problem[]) | undefined;
  const unreadable = inner instanceof z.ZodString ? controlCharacters(formatPath(path), value) : [];
  if (unreadable.length > 0) return unreadable;
  const own = rule && hasType(inner, value) ? rule(formatPath(path), value) : [];
  return [...own, ...partsOf(inner, value).flatMap(([key, part, found]) => valueProblems(part, found, [...path, key]))];
}

/** Each problem once: a stack's settings and the component's arguments that they become are judged by the same rules. */
export function distinct<P extends Problem>(problems: readonly P[]): P[] {
  const known = new Set<string>();
  return problems.filter(({ path, code, message }) => {
    const key = JSON.stringify([path, code, message]);
    return !known.has(key) && known.add(key);
  });
}

/** The schema below what says that a value may be left out. */
function below(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? below(schema.def.innerType as z.ZodType)
    : schema;
}

function hasType(schema: z.ZodType, value: unknown): boolean {
  if (schema instanceof z.ZodArray) return Array.isArray(value) && value.every((item) => item !== undefined);
  if (schema instanceof z.ZodObject || schema instanceof z.ZodRecord) return typeof value === "object";
  return typeof value === schema.def.type;
}

function partsOf(schema: z.ZodType, value: unknown): [key: string | number, schema: z.ZodType, value: unknown][] {
  if (typeof value !== "object" || value === null) return [];
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item, index) => [index, schema.element as z.ZodType, item]);
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).map(([key, part]) => [
      key,
      part as z.ZodType,
      (value as Record<string, unknown>)[key],
    ]);
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).map(([key, item]) => [key, schema.valueType as z.ZodType, item]);
  return [];
}
