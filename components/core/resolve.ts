import { z } from "zod";
import type { Profile } from "./platform-args.ts";
import { details, type Filled, type PerProfile } from "./schema.ts";

/** Arguments of a schema once its defaults are filled in: only what is optional by its meaning may still be absent. */
export type Resolved<S> =
  S extends z.ZodDefault<infer T>
    ? Resolved<T>
    : S extends PerProfile<infer T> | Filled<infer T>
      ? Resolved<T>
      : S extends z.ZodOptional<infer T>
        ? Resolved<T> | undefined
        : S extends z.ZodArray<infer T>
          ? Resolved<T>[]
          : S extends z.ZodRecord<z.ZodString, infer T>
            ? Record<string, Resolved<T>>
            : S extends z.ZodObject<infer Shape>
              ? ResolvedBlock<Shape>
              : z.output<S>;

type ResolvedBlock<Shape> = {
  [K in keyof Shape as MayLack<Shape[K]> extends true ? never : K]: Resolved<Shape[K]>;
} & {
  [K in keyof Shape as MayLack<Shape[K]> extends true ? K : never]?: Resolved<Shape[K]>;
};

type MayLack<S> = S extends z.ZodOptional ? (S extends PerProfile<infer _> | Filled<infer _> ? false : true) : false;

/**
 * A value with the defaults of its schema, also in the blocks and lists within it. Given values never change: what lacks nothing, and
 * what the schema has no block for, such as an `Output`, is given back itself. Twice is the same as once.
 * @param profile what the stack is for
 * @throws Error where a default depends on the profile and none is told
 */
export function resolve<S extends z.ZodType>(schema: S, value: z.input<S> | undefined, profile?: Profile): Resolved<S> {
  const fill = fillOf(schema);
  return (fill ? fill(value, profile) : value) as Resolved<S>;
}

type Fill = (value: unknown, profile: Profile | undefined) => unknown;

const fills = new WeakMap<z.ZodType, Fill | undefined>();

/** How values of a schema are filled, found once; undefined where nothing in it has a default. */
function fillOf(schema: z.ZodType): Fill | undefined {
  if (!fills.has(schema)) fills.set(schema, makeFill(schema));
  return fills.get(schema);
}

function makeFill(schema: z.ZodType): Fill | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return absentFill(schema);
  if (schema instanceof z.ZodObject) return blockFill(schema);
  if (schema instanceof z.ZodArray) return partsFill(fillOf(schema.element as z.ZodType));
  if (schema instanceof z.ZodRecord) return partsFill(fillOf(schema.valueType as z.ZodType));
  return undefined;
}

/** What stands in an absent value's place, filled in itself; a given one is filled in as its own schema says. */
function absentFill(schema: z.ZodDefault | z.ZodOptional): Fill | undefined {
  const inner = fillOf(schema.def.innerType as z.ZodType);
  const standIn = standInOf(schema);
  if (!standIn) return inner && ((value, profile) => (value === undefined ? value : inner(value, profile)));
  return (value, profile) => {
    const found = value === undefined ? standIn(profile) : value;
    return inner ? inner(found, profile) : found;
  };
}

function standInOf(schema: z.ZodDefault | z.ZodOptional): ((profile: Profile | undefined) => unknown) | undefined {
  if (schema instanceof z.ZodDefault) return () => schema.def.defaultValue;
  const { perProfile, filled } = details.get(schema) ?? {};
  if (filled) return () => (schema.def.innerType instanceof z.ZodArray ? [] : {});
  if (!perProfile) return undefined;
  return (profile) => {
    if (profile === undefined) throw new Error("A default depends on the profile, and none is told.");
    return perProfile[profile];
  };
}

function blockFill({ shape }: z.ZodObject): Fill | undefined {
  const fillsOfParts = Object.entries(shape).flatMap(([key, part]) => {
    const fill = fillOf(part as z.ZodType);
    return fill ? [[key, fill] as const] : [];
  });
  if (fillsOfParts.length === 0) return undefined;
  return (value, profile) => (isBlock(value) ? withParts(value, fillsOfParts, profile) : value);
}

/** Of lists, and of blocks with free keys. */
function partsFill(fill: Fill | undefined): Fill | undefined {
  if (!fill) return undefined;
  return (value, profile) => {
    if (isBlock(value))
      return withParts(
        value,
        Object.keys(value).map((key) => [key, fill] as const),
        profile,
      );
    if (!Array.isArray(value)) return value;
    const items = value.map((item) => fill(item, profile));
    return items.some((item, index) => item !== value[index]) ? items : value;
  };
}

function withParts(block: Block, parts: readonly (readonly [string, Fill])[], profile: Profile | undefined): Block {
  const filled: Record<string, unknown> = {};
  for (const [key, fill] of parts) {
    const part = fill(block[key], profile);
    if (part !== block[key]) filled[key] = part;
  }
  return Object.keys(filled).length > 0 ? { ...block, ...filled } : block;
}

type Block = Readonly<Record<string, unknown>>;

/** Not an `Output`, nor anything else with a class. */
function isBlock(value: unknown): value is Block {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
