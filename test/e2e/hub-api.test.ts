import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { hubApi, hubApiFiles } from "../../tools/hub-api.ts";

test("the hub's API is as its published client describes it", async () => {
  const fresh = await hubApi();
  for (const file of ["types", "schemas"] as const)
    expect(await readFile(hubApiFiles[file], "utf8"), `${hubApiFiles[file]}: run \`npm run generate\``).toBe(
      fresh[file],
    );
});
