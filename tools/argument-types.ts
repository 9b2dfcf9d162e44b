import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { details } from "@hearth-platform/hearth/core/schema";
import { z } from "zod";

/**
 * The argument interfaces of the components, from their schemas: beside each `schema.ts` an `args.ts`, beside
 * `NAME-schema.ts` a `NAME-args.ts`. Pulumi's schema analyser reads interfaces, and no inferred types.
 */

const root = join(import.meta.dirname, "..", "components");

interface NamedSchema {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** The argument interfaces by file. */
export async function argumentTypes(): Promise<Map<string, string>> {
  const modules = new Map<string, NamedSchema[]>();
  for (const file of globSync("**/{,*-}schema.ts", { cwd: root }).sort()) {
    if (file === join("core", "schema.ts")) continue;
    modules.set(
      file.replace(/schema\.ts$/, "args.ts"),
      namedSchemas(await import(join(root, file)), readFileSync(join(root, file), "utf8")),
    );
  }
  const homes = new Map([...modules].flatMap(([file, all]) => all.map(({ name }) => [name, file] as const)));
  for (const [file, all] of modules)
    modules.set(
      file,
      all.flatMap((each) => [...unexported(each.schema, file, homes), each]),
    );
  return new Map([...modules].map(([file, all]) => [`components/${file}`, printed(file, all, homes)]));
}

/** Names that a module itself exports, in the order of its text. */
function namedSchemas(module: Readonly<Record<string, unknown>>, text: string): NamedSchema[] {
  const place = (key: string) => text.indexOf(`export const ${key} =`);
  return Object.entries(module)
    .sort(([a], [b]) => place(a) - place(b))
    .flatMap(([, schema]) => {
      const name = schema instanceof z.ZodType ? details.get(schema)?.name : undefined;
      return name === undefined ? [] : [{ name, schema: schema as z.ZodType }];
    });
}

/** Blocks and choices inside `schema` that no module exports, such as those of a suite's apps: they stand where they are used first. */
function unexported(schema: z.ZodType, file: string, homes: Map<string, string>): NamedSchema[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.values(schema.shape as z.ZodRawShape).flatMap((value) => {
    const inner = original(unwrapped(value as z.ZodType).inner);
    const name = details.get(inner)?.name;
    if (name === undefined || homes.has(name)) return [];
    homes.set(name, file);
    return [...unexported(inner, file, homes), { name, schema: inner }];
  });
}

/** A named schema before it got another sentence where it stands. */
function original(schema: z.ZodType): z.ZodType {
  const parent = schema._zod.parent as z.ZodType | undefined;
  return parent && details.get(parent)?.name !== undefined ? original(parent) : schema;
}

function printed(file: string, schemas: readonly NamedSchema[], homes: ReadonlyMap<string, string>): string {
  const bodies = schemas.map(({ name, schema }) => {
    const { choice } = details.get(schema) ?? {};
    return choice ? constants(name, schema, choice) : argumentInterface(name, schema as z.ZodObject);
  });
  const own = new Set(schemas.map(({ name }) => name));
  const imports = new Map<string, Set<string>>();
  for (const name of bodies.flatMap(({ uses }) => uses)) {
    const home = homes.get(name);
    if (home === undefined) throw new Error(`${file}: ${name} is exported by no schema.`);
    if (!own.has(name)) imports.set(home, (imports.get(home) ?? new Set()).add(name));
  }
  const lines = [...imports].sort().map(([home, names]) => {
    const path = relative(dirname(file), home);
    return `import type { ${[...names].sort().join(", ")} } from "${path.startsWith(".") ? path : `./${path}`}";`;
  });
  const source = file.slice(file.lastIndexOf("/") + 1).replace(/args\.ts$/, "schema.ts");
  const head = `// Written by \`npm run generate\` from ${source}: change that.`;
  return `${[head, ...lines, "", ...bodies.map(({ text }) => `${text}\n`)].join("\n").trimEnd()}\n`;
}

interface Body {
  readonly text: string;
  /** Names of other interfaces and constants in it. */
  readonly uses: readonly string[];
}

type Choice = NonNullable<NonNullable<ReturnType<typeof details.get>>["choice"]>;

function constants(name: string, schema: z.ZodType, { values, meanings }: Choice): Body {
  const rows = Object.entries(values).flatMap(([key, value]) => [
    ...(meanings[key] ? [`  /** ${meanings[key]} */`] : []),
    `  ${key}: ${JSON.stringify(value)},`,
  ]);
  const text = [
    `/** ${schema.meta()?.description} */`,
    `export const ${name} = {`,
    ...rows,
    "} as const;",
    `export type ${name} = (typeof ${name})[keyof typeof ${name}];`,
  ].join("\n");
  return { text, uses: [] };
}

function argumentInterface(name: string, schema: z.ZodObject): Body {
  const uses: string[] = [];
  const rows = Object.entries(schema.shape).flatMap(([key, value]) => {
    const { inner, optional, otherwise } = unwrapped(value as z.ZodType);
    const type = typeOf(inner, uses);
    const said = [meaning(inner, otherwise), otherwise === undefined ? undefined : `@default ${otherwise}`];
    return [`  /** ${said.filter(Boolean).join(" ")} */`, `  ${key}${optional ? "?" : ""}: ${type};`];
  });
  const text = [`/** ${schema.meta()?.description} */`, `export interface ${name} {`, ...rows, "}"].join("\n");
  return { text, uses };
}

/** The sentence of an argument, with its bounds and an example where it has them. */
function meaning(schema: z.ZodType, otherwise?: string): string {
  const { description = "", examples } = schema.meta() ?? {};
  const bounds = schema.def.type === "number" && boundsOf(z.toJSONSchema(schema));
  const said = withExample(description, { examples: examples as unknown[] | undefined, otherwise });
  return [said, ...(bounds ? [`${bounds}.`] : [])].join(" ");
}

/** A sentence and the first example, unless the sentence or the default shows it. */
export function withExample(
  description: string,
  { examples: [example] = [], otherwise = "" }: { examples?: readonly unknown[]; otherwise?: string },
): string {
  const isShown = description.includes(`\`${example}\``) || otherwise.includes(String(example));
  return example === undefined || isShown ? description : `${description} Example: \`${example}\`.`;
}

/** What a number may be, in words: `At least 1`, `From 1 to 65535`. */
export function boundsOf({ minimum, maximum, const: only }: z.core.JSONSchema.JSONSchema): string | undefined {
  if (only !== undefined) return `Always ${only}`;
  // The largest and the smallest number that zod takes for whole are no bounds of ours.
  if (minimum === undefined || minimum === Number.MIN_SAFE_INTEGER) return undefined;
  const hasEnd = maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER;
  return hasEnd ? `From ${minimum} to ${maximum}` : `At least ${minimum}`;
}

/** The schema of a value, and what holds where it is left out, as far as its schema says that. */
export function unwrapped(schema: z.ZodType): { inner: z.ZodType; optional?: true; otherwise?: string } {
  if (schema instanceof z.ZodDefault)
    return { inner: schema.def.innerType as z.ZodType, optional: true, otherwise: words(schema.def.defaultValue) };
  if (!(schema instanceof z.ZodOptional)) return { inner: schema };
  const { otherwise, perProfile } = details.get(schema) ?? {};
  const inner = schema.def.innerType as z.ZodType;
  if (!perProfile) return { inner, optional: true, otherwise };
  const { production, development } = perProfile;
  return {
    inner,
    optional: true,
    otherwise: `${words(production)} in production, ${words(development)} in development`,
  };
}

/** A default as a person reads it. */
export function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  const { requests, limits } = value as { requests?: Amounts; limits?: Amounts };
  if (!requests || !limits) return JSON.stringify(value);
  return `${requests.cpu} and ${requests.memory}, up to ${limits.cpu} and ${limits.memory}`;
}

interface Amounts {
  readonly cpu: string;
  readonly memory: string;
}

function typeOf(schema: z.ZodType, uses: string[]): string {
  const name = details.get(schema)?.name;
  if (name !== undefined) {
    uses.push(name);
    return name;
  }
  if (schema instanceof z.ZodArray) return `${typeOf(schema.element as z.ZodType, uses)}[]`;
  if (schema instanceof z.ZodRecord) return `Record<string, ${typeOf(schema.valueType as z.ZodType, uses)}>`;
  // Pulumi's analyser knows no unions of texts.
  const types: Readonly<Record<string, string>> = {
    string: "string",
    enum: "string",
    number: "number",
    boolean: "boolean",
  };
  const type = types[schema.def.type];
  if (type === undefined) throw new Error(`A block needs a name, and ${schema.def.type} has none.`);
  // TypeScript has no whole numbers; the schema for other languages calls every number one.
  if (type === "number" && z.toJSONSchema(schema).type !== "integer")
    throw new Error(`A number of an argument is whole, and one is not: ${schema.meta()?.description}`);
  return type;
}
