import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { type Figure, isMet, median, ratios, tableOf } from "../../bench/report.ts";

const root = join(import.meta.dirname, "../..");
const bench = (...args: string[]) =>
  execa(process.execPath, ["bench/main.ts", ...args], { cwd: root, reject: false, stdin: "ignore", timeout: 60_000 });

const figure = (values: number[], goal?: Figure["goal"]): Figure => ({ what: "a thing", unit: "s", values, goal });

describe("a benchmark", () => {
  it("is judged by its median", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(isMet(figure([9, 1, 1], { atMost: 1 }))).toBe(true);
    expect(isMet(figure([9, 1, 9], { atMost: 1 }))).toBe(false);
    expect(isMet(figure([9, 1, 9], { atLeast: 9 }))).toBe(true);
    expect(isMet(figure([9]))).toBe(true);
  });

  it("compares run by run", () => expect(ratios([2, 9], [1, 3])).toEqual([2, 3]));

  it("ends its table with a sum that names what was missed", () => {
    const figures = [figure([2], { atMost: 1 }), figure([2], { atMost: 3 })];
    expect(tableOf({ name: "thing", figures }).split("\n").at(-1)).toBe("thing: 1 of 2 goals met; missed: a thing");
  });

  it("runs in a short form, keeps what it measured, and says by its status whether that misses a goal", async () => {
    const { exitCode, stdout } = await bench("commands", "--runs", "1");
    const [, file = ""] = /^JSON: (.+)$/m.exec(stdout) ?? [];
    const { figures }: { figures: Figure[] } = JSON.parse(readFileSync(file, "utf8"));
    expect(figures.map(({ what, values }) => [what, values.length])).toEqual([
      [expect.stringContaining("node -e 0"), 1],
      [expect.stringContaining("validate of one file, offline"), 1],
      [expect.stringContaining("render of prod"), 1],
    ]);
    const misses = figures.filter(({ goal, values: [value = Number.NaN] }) => {
      if (!goal) return false;
      return "atMost" in goal ? value > goal.atMost : value < goal.atLeast;
    });
    expect(exitCode).toBe(misses.length > 0 ? 1 : 0);
  });

  it.each([["nothing"], ["commands", "--runs", "0"], []])(
    "refuses %s %s %s, and says how it is used",
    async (...args) => {
      const { exitCode, stderr } = await bench(...args);
      expect(exitCode).toBe(2);
      expect(stderr).toContain("Usage: npm run bench -- NAME");
    },
  );
});
