import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { expect, test } from "vitest";
import { crdTypes, generatedFolder } from "../../tools/crd-types.ts";

test("the types of custom resources are those of the operators' CRDs", async () => {
  const { crds } = await ensurePrograms(createProgress());
  const fresh = await crdTypes(crds);
  expect((await readdir(generatedFolder)).sort()).toEqual([...fresh.keys()].sort());
  for (const [name, text] of fresh)
    expect(await readFile(join(generatedFolder, name), "utf8"), `${name}: run \`npm run generate\``).toBe(text);
});
