import { z } from "zod";
import type { LimitsArgs } from "./limits-args.ts";
import type { Profile } from "./platform-args.ts";
import { besides, type Problem } from "./problems.ts";

/**
 * How an argument is described, once: its sentence, type, unit, default and bounds. From a component's `schema.ts` follow its
 * argument interface (`tools/argument-types.ts`), the check in its constructor, the stack's settings with their JSON Schema
 * and docs, and the defaults that `resolve.ts` fills in.
 */

/**
 * The problems of one value at `path`; an absent value has none.
 * @param limits what the stack allows beside the specification
 */
export type ValueRule<T> = (path: string, value: T | undefined, limits?: LimitsArgs) => readonly Problem[];

/** Facts about a value that zod and JSON Schema can't express. */
export interface Details {
  /** Judges the value beyond its type. */
  readonly rule?: ValueRule<never>;
  /** The default in words, where it is no plain value. */
  readonly otherwise?: string;
  /** Defaults that depend on what the stack is for. */
  readonly perProfile?: Readonly<Record<Profile, unknown>>;
  /** Absent it is an empty block or list, whose own defaults hold. */
  readonly filled?: true;
  /** Keys that a block lacks since they follow from other arguments, each with what says it. */
  readonly setBy?: Readonly<Record<string, string>>;
  /** Name of the argument interface or of the constants that stand for the values. */
  readonly name?: string;
  /** Of a choice: its constants, and what those mean that need a sentence. */
  readonly choice?: {
    readonly values: Readonly<Record<string, string>>;
    readonly meanings: Readonly<Record<string, string>>;
  };
}

/** Details of every schema that has some. */
export const details = z.registry<Details>();

function noted<S extends z.ZodType>(schema: S, said: Details): S {
  details.add(schema, said);
  return schema;
}

interface Said<T> {
  readonly examples?: readonly T[];
  readonly rule?: ValueRule<T>;
  /** Further hints for editors in JSON Schema, such as a pattern. Only the rule decides. */
  readonly hints?: Readonly<Record<string, unknown>>;
}

function described<S extends z.ZodType>(
  schema: S,
  description: string,
  { examples, rule, hints }: Said<z.output<S>> = {},
): S {
  const meta = schema.meta({ description, ...hints, ...(examples && { examples: [...examples] }) }) as S;
  return rule ? noted(meta, { rule: rule as ValueRule<never> }) : meta;
}

/** A text that is not empty. */
export const text = (description: string, said?: Said<string>) => described(z.string().min(1), description, said);

/** A text, which may be empty. */
export const anyText = (description: string, said?: Said<string>) => described(z.string(), description, said);

/** One of a few texts that need no name. Its type is any text: Pulumi's analyser knows no unions of texts. */
export const oneOf = (values: readonly [string, ...string[]], description: string): z.ZodType<string, string> =>
  described(z.enum(values), description);

/** A list of texts. */
export const texts = (description: string, said?: Said<string[]>) =>
  described(z.array(z.string().min(1)), description, said);

/** Texts by free keys. */
export const textMap = (description: string, said?: Said<Record<string, string>>) =>
  described(z.record(z.string(), z.string()), description, said);

/** True or false. */
export const flag = (description: string) => described(z.boolean(), description);

/** A whole number from `min` on, to `max` where that is told. */
export const count = (
  description: string,
  { min = 0, max, ...said }: Said<number> & { readonly min?: number; readonly max?: number } = {},
) => described(max === undefined ? z.int().min(min) : z.int().min(min).max(max), description, said);

/** A whole number of which its rule says what it may be. */
export const whole = (description: string, said: Said<number> & { readonly rule: ValueRule<number> }) =>
  described(z.int(), description, said);

/** A TCP port. */
export const port = (description: string) => described(z.int().min(1).max(65535), description);

/** Values of any schema, in a list. */
export const list = <S extends z.ZodType>(of: S, description: string) => described(z.array(of), description);

/** Values of any schema, by free keys. */
export const map = <S extends z.ZodType>(of: S, description: string, said?: Said<Record<string, z.output<S>>>) =>
  described(z.record(z.string(), of), description, said);

/**
 * One of a few texts.
 * @param name of the constants and their type, e.g. `HubAccess`
 * @param values the constants: key → text
 * @param meanings of the keys that need a sentence
 */
export function choice<const V extends Readonly<Record<string, string>>>(
  name: string,
  values: V,
  description: string,
  meanings: Partial<Record<keyof V, string>> = {},
) {
  const schema = described(z.enum(Object.values(values) as unknown as [V[keyof V], ...V[keyof V][]]), description);
  return noted(schema, { name, choice: { values, meanings: meanings as Record<string, string> } });
}

/**
 * A block of named arguments; unknown ones are refused.
 * @param name of the argument interface, e.g. `HubSignOnArgs`
 * @param rule on the arguments together, which belong in no list of rules since the block stands in several components
 */
export function block<S extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: S,
  rule?: ValueRule<z.output<z.ZodObject<S>>>,
) {
  const schema = named(z.strictObject(shape), name, description);
  return rule ? noted(schema, { ...details.get(schema), rule: rule as ValueRule<never> }) : schema;
}

/** A block of another program's keys, of which some follow from other arguments. @param setBy what says such a key, e.g. "the `domain`" */
export function keysOfProgram<S extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: S,
  setBy: Readonly<Record<string, string>>,
) {
  const schema = block(name, description, shape);
  return noted(schema, { ...details.get(schema), setBy });
}

/** A block made of another one, under a name and a description of its own. */
export function named<S extends z.ZodType>(schema: S, name: string, description: string): S {
  return noted(schema.meta({ id: name, description }) as S, { name });
}

/** A schema whose value has to pass a rule, too: one more, after those it has. */
export function ruled<S extends z.ZodType>(schema: S, rule: ValueRule<z.output<S>>): S {
  const known = details.get(schema);
  const first = known?.rule as ValueRule<z.output<S>> | undefined;
  const both: ValueRule<z.output<S>> = (path, value) => {
    const problems = first?.(path, value) ?? [];
    return [...problems, ...besides(problems, rule(path, value))];
  };
  return noted(schema.clone() as S, { ...known, rule: both as ValueRule<never> });
}

/** The same schema with another sentence, where it stands in a block. */
export const as = <S extends z.ZodType>(schema: S, description: string): S => schema.meta({ description }) as S;

/** An argument that may be left out. @param otherwise what holds then, in words */
export function optional<S extends z.ZodType>(schema: S, otherwise: string) {
  return noted(schema.optional(), { otherwise });
}

/** A block or list that may be left out: then the defaults within it hold. @param otherwise what that comes to, in words */
export function filled<S extends z.ZodType>(schema: S, otherwise: string) {
  return noted(schema.optional(), { otherwise, filled: true }) as Filled<S>;
}

/** A block or list that is there, empty, where it is left out. */
export type Filled<S extends z.core.SomeType> = z.ZodOptional<S> & { readonly filled: true };

/** An argument with a plain default. */
export function defaultsTo<S extends z.ZodType>(schema: S, value: z.output<S>) {
  return schema.default(value as never);
}

/** An argument whose default depends on what the stack is for. */
export function perProfile<S extends z.ZodType>(schema: S, values: Readonly<Record<Profile, z.output<S>>>) {
  return noted(schema.optional(), { perProfile: values }) as PerProfile<S>;
}

/** An argument with a default for each profile. */
export type PerProfile<S extends z.core.SomeType> = z.ZodOptional<S> & { readonly perProfile: true };

/** The arguments of a block but some, for a block that says these otherwise. */
export function without<S extends z.ZodRawShape, const K extends keyof S & string>(
  { shape }: z.ZodObject<S>,
  ...keys: readonly K[]
): Omit<S, K> {
  return Object.fromEntries(Object.entries(shape).filter(([key]) => !keys.includes(key as K))) as Omit<S, K>;
}
