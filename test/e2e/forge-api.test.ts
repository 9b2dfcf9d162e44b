import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { forgeApi, forgeApiFile } from "../../tools/forge-api.ts";

test("the forge's API is as its published client describes it", async () => {
  expect(await readFile(forgeApiFile, "utf8"), `${forgeApiFile}: run \`npm run generate\``).toBe(await forgeApi());
});
