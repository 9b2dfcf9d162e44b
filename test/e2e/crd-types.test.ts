import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensurePrograms } from "../../sandbox/programs/programs.ts";
import { createProgress } from "../../sandbox/progress.ts";
import { crdTypes, generatedFolder } from "../../tools/crd-types.ts";

test("the types of custom resources are those of the operators' CRDs", async () => {
  const { crds } = await ensurePrograms(createProgress());
  const fresh = await crdTypes(crds);
  expect((await readdir(generatedFolder)).sort()).toEqual([...fresh.keys()].sort());
  for (const [name, text] of fresh)
    expect(await readFile(join(generatedFolder, name), "utf8"), `${name}: run \`npm run generate\``).toBe(text);
});
