import { globSync } from "node:fs";
import { join } from "node:path";
import { details } from "@hearth-platform/hearth/core/schema";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { argumentTypes, unwrapped } from "../../tools/argument-types.ts";

const written = await argumentTypes();

/** Every argument in the interfaces: where it stands, what is said of it, its type. */
const members = [...written].flatMap(([file, text]) =>
  [...text.matchAll(/\/\*\*([^\n]*)\*\/\n {2}(\w+)(\??): ([^;]+);/g)].map(
    ([, said = "", key = "", optional, type]) => ({ at: `${file}: ${key}`, said, optional, type }),
  ),
);

/** Rules on plain names and on what the sentence of an argument explains: their values have no form that needs an example. */
const ofNames = new Set(
  "allowedRegion dataKey dataNames databaseName dnsLabel dnsLabels entryPointName existingSecrets extensions identifier labels annotations mirrors namespaceName objectKind objectName objectNames projectName recoverySuffix robotProjects runnerTags singleWriterClass siteName siteSpec storageClass".split(
    " ",
  ),
);

const folder = join(import.meta.dirname, "../../components");
const blocks = await Promise.all(
  globSync("**/{,*-}schema.ts", { cwd: folder, exclude: ["dist/**"] }).map((file) => import(join(folder, file))),
);

/** Texts with a form: what is said of each, with its default and its example, and their rule. */
function* formed(
  schema: z.ZodType,
  path: string,
): Generator<{ path: string; shown: string[]; problems: (value: string) => number }> {
  if (!(schema instanceof z.ZodObject)) return;
  for (const [key, value] of Object.entries(schema.shape as z.ZodRawShape)) {
    const { inner } = unwrapped(value as z.ZodType);
    const rule = details.get(inner)?.rule as ((path: string, value: unknown) => readonly unknown[]) | undefined;
    if (rule && inner instanceof z.ZodString && !ofNames.has(rule.name)) {
      const { description = "", examples = [] } = inner.meta() ?? {};
      const words = [...description.matchAll(/`"?([^`"]+)"?`/g)].map(([, word = ""]) => word);
      const standard = value instanceof z.ZodDefault ? [String(value.def.defaultValue)] : [];
      const shown = [...standard, ...(examples as string[]), ...words];
      yield { path: `${path}.${key}`, shown, problems: (each) => rule(key, each).length };
    }
    yield* formed(inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner, `${path}.${key}`);
  }
}

describe("the argument interfaces", () => {
  it("give every argument that may be left out its default", () => {
    const silent = members.filter(({ optional, said }) => optional && !said.includes("@default"));
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  it("say of every number what it may be", () => {
    const silent = members.filter(
      ({ type, said }) => type === "number" && !/At least \d|From \d+ to \d|Always \d/.test(said),
    );
    expect(silent.map(({ at }) => at)).toEqual([]);
  });

  it("show a value of every form, which its own rule takes: a schedule, an amount, an image, a host", () => {
    const all = blocks.flatMap((module) =>
      Object.entries(module).flatMap(([name, schema]) => [...formed(schema as z.ZodType, name)]),
    );
    expect(all.length).toBeGreaterThan(50);
    const bare = all.filter(({ shown, problems }) => !shown.some((value) => problems(value) === 0));
    expect([...new Set(bare.map(({ path }) => path))]).toEqual([]);
  });
});
