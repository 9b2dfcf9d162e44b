import { z } from "zod";
import { laterProblem, laterValues } from "./later-values.ts";
import type { LimitsArgs } from "./limits-args.ts";
import { formatPath, type Path } from "./paths.ts";
import { besides, type Problem } from "./problems.ts";
import { details, type ValueRule } from "./schema.ts";
import { checkStructure, without } from "./structure.ts";
import { controlCharacters, heldCredentials } from "./value-rules.ts";

/**
 * A rule on several values. It runs once all of them are present and have their types.
 * @param limits what the stack allows beside the specification
 */
export type Rule = (values: unknown, limits?: LimitsArgs) => readonly Problem[];

/**
 * Makes rules on some parts of a block, e.g. `const rule = rulesOn(hub)`, then `rule(["robots", "projects"], ({ robots, projects }) => …)`.
 * A part that is missing or mistyped is `checkStructure`'s matter: what is said of it would be a guess.
 */
export function rulesOn<S extends z.ZodRawShape>(block: z.ZodObject<S>) {
  type Parts = z.input<z.ZodObject<S>>;
  return <const K extends keyof Parts & string>(
    keys: readonly K[],
    judge: (parts: Pick<Parts, K>, limits: LimitsArgs | undefined) => readonly Problem[],
  ): Rule =>
    (values, limits) => {
      const parts = wholeParts(block, values, keys);
      return parts ? judge(parts, limits) : [];
    };
}

/** A rule on a block that stands below `key` of another one. */
export function within(key: string, rule: Rule): Rule {
  return (values, limits) =>
    rule(valueBelow(values, key), limits).map((problem) => ({
      ...problem,
      path: [key, problem.path].filter(Boolean).join("."),
    }));
}

/** The value below a key of a block, of any type. */
export function valueBelow(values: unknown, key: string): unknown {
  return typeof values === "object" && values !== null ? (values as Record<string, unknown>)[key] : undefined;
}

/** Some parts of a block, where all of them are there and have their types. */
export function wholeParts<S extends z.ZodRawShape, const K extends keyof z.input<z.ZodObject<S>> & string>(
  block: z.ZodObject<S>,
  values: unknown,
  keys: readonly K[],
): Pick<z.input<z.ZodObject<S>>, K> | undefined {
  if (typeof values !== "object" || values === null || Array.isArray(values)) return undefined;
  const found = values as Pick<z.input<z.ZodObject<S>>, K>;
  return keys.every((key) => hasType(block.shape[key] as unknown as z.ZodType, found[key])) ? found : undefined;
}

/** The parts of a block that have their types, without the others. */
export function soundParts<S extends z.ZodRawShape>(
  block: z.ZodObject<S>,
  values: unknown,
): Partial<z.input<z.ZodObject<S>>> {
  const known = Object.keys(block.shape).filter((key) => wholeParts(block, values, [key as never]));
  return Object.fromEntries(known.map((key) => [key, (values as Record<string, unknown>)[key]])) as Partial<
    z.input<z.ZodObject<S>>
  >;
}

/** A problem for each value that repeats an earlier one. */
export function repeated(
  values: readonly (string | undefined)[],
  problem: (value: string, index: number) => Problem,
): Problem[] {
  return values.flatMap((value, index) =>
    value === undefined || values.indexOf(value) === index ? [] : [problem(value, index)],
  );
}

/** Everything wrong with the values of a block that have their types: each by the rule in its schema, then what does not fit together. */
export function judged<S extends z.ZodRawShape>(block: z.ZodObject<S>, rules: readonly Rule[]) {
  return (values: unknown, limits?: LimitsArgs): Problem[] =>
    withFit(valueProblems(block, values, limits), rules, values, limits);
}

/** Problems of single values, then what rules say of the others. */
export function withFit(
  problems: readonly Problem[],
  rules: readonly Rule[],
  values: unknown,
  limits?: LimitsArgs,
): Problem[] {
  return [
    ...problems,
    ...besides(
      problems,
      rules.flatMap((rule) => rule(values, limits)),
    ),
  ];
}

/**
 * Everything wrong with the arguments of a component: unknown, missing and mistyped ones, then what its rules say of the rest.
 * @param problemsOf what `judged` gives
 */
export function checkArguments<S extends z.ZodType>(
  schema: S,
  args: z.input<S>,
  problemsOf: (values: unknown) => readonly Problem[],
): Problem[] {
  const later = laterValues(args);
  const unplain = later.map(laterProblem);
  const plain =
    later.length > 0
      ? without(
          args,
          later.map(({ path }) => path),
        )
      : args;
  const { known, problems } = checkStructure(schema, plain);
  return [...unplain, ...besides(unplain, [...problems, ...problemsOf(known)])];
}

/** Problems that a schema's rules find in each value. Values of a wrong type are skipped. */
export function valueProblems(schema: z.ZodType, value: unknown, limits?: LimitsArgs, path: Path = []): Problem[] {
  if (value === undefined) return [];
  const inner = below(schema);
  const rule = details.get(inner)?.rule as ValueRule<unknown> | undefined;
  const unreadable = inner instanceof z.ZodString ? controlCharacters(formatPath(path), value) : [];
  if (unreadable.length > 0) return unreadable;
  const parts = partsOf(inner, value).flatMap(([key, part, found]) =>
    valueProblems(part, found, limits, [...path, key]),
  );
  const judgedHere = rule && hasType(inner, value) ? besides(parts, rule(formatPath(path), value, limits)) : [];
  const credentials = inner instanceof z.ZodString ? heldCredentials(formatPath(path), value) : [];
  return [...parts, ...judgedHere, ...besides(judgedHere, credentials)];
}

/** The schema below what says that a value may be left out. */
function below(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? below(schema.def.innerType as z.ZodType)
    : schema;
}

function hasType(schema: z.ZodType, value: unknown): boolean {
  // Most values are texts; parsing them would cost as much as everything else together.
  return schema instanceof z.ZodString ? typeof value === "string" && value !== "" : schema.safeParse(value).success;
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
