import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Cost } from "../../bench/validate/measure.ts";

let costs: Cost[] = [];

beforeAll(() => {
  const program = join(import.meta.dirname, "../../bench/validate/measure.ts");
  // A bound of processor time: a busy machine does not make the check hang.
  const { stdout, stderr, signal } = spawnSync(
    "sh",
    ["-c", 'ulimit -t 60 && exec "$0" "$1"', process.execPath, program],
    {
      encoding: "utf8",
    },
  );
  if (signal) throw new Error(`The check of a file hangs: ${signal}\n${stderr}`);
  costs = JSON.parse(stdout);
}, 600_000);

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
