import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Cost } from "../../bench/validate/measure.ts";

let costs: Cost[] = [];

beforeAll(() => {
  const program = join(import.meta.dirname, "../../bench/validate/measure.ts");
  const { stdout, stderr, error } = spawnSync(process.execPath, [program], {
    encoding: "utf8",
    timeout: 60_000,
  });
  if (error) throw new Error(`The check of a file hangs: ${error.message}\n${stderr}`);
  costs = JSON.parse(stdout);
}, 90_000);

describe("the check of any file", () => {
  it("adds at most 64 MB to the process", () => {
    expect(costs.length).toBeGreaterThan(700);
    expect(costs.filter(({ megabytes }) => megabytes > 64)).toEqual([]);
  });

  it("never hangs", () => {
    // The bar is 100 ms, which `npm run bench -- validate` measures; this test only fails where the cost explodes.
    expect(costs.filter(({ milliseconds }) => milliseconds > 1_000)).toEqual([]);
  });
});
