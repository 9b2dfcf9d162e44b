import { expect, test } from "vitest";
import { staleFiles } from "../../tools/generate.ts";

test("types of custom resources, and the APIs of forge and hub, are as their publishers have them: `npm run generate:upstream`", async () => {
  expect([...(await staleFiles("upstream")).keys()]).toEqual([]);
});
