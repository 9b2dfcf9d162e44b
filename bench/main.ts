import { parseArgs } from "node:util";
import { publish, type Report } from "./report.ts";
import type { BenchOptions } from "./samples.ts";

type Benchmark = (options: BenchOptions) => Promise<Report>;

/** Exits with 1 where a goal is missed. Benchmarks by name, in the order in which `all` runs them. */
const benchmarks: Readonly<Record<string, () => Promise<{ run: Benchmark; usualRuns?: number }>>> = {
  commands: () => import("./commands/main.ts"),
  validate: () => import("./validate/main.ts"),
  policies: () => import("./policies/main.ts"),
  growth: () => import("./growth/main.ts"),
  engine: () => import("./engine/main.ts"),
  webhook: () => import("./webhook/main.ts"),
};

/** What takes so long that it is measured once, and by its name alone. */
const apart: typeof benchmarks = { cold: () => import("./cold/main.ts"), scale: () => import("./scale/main.ts") };

const known = { ...benchmarks, ...apart };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: "string" } },
});
const names = positionals.flatMap((name) => (name === "all" ? Object.keys(benchmarks) : [name]));
const runs = values.runs === undefined ? undefined : Number(values.runs);
const isCount = runs === undefined || (Number.isInteger(runs) && runs > 0);
if (names.length === 0 || names.some((name) => !(name in known)) || !isCount) {
  console.error(`Usage: npm run bench -- NAME… [--runs N]
  NAME  all, or some of ${Object.keys(known).join(", ")}
  N     how often each thing is measured; 7 by default, 1 for growth, whose processes repeat it themselves`);
  process.exit(2);
}

const missed: string[] = [];
for (const name of names) {
  const { run, usualRuns = 7 } = (await known[name]?.()) ?? {};
  const report = await run?.({ runs: runs ?? usualRuns });
  if (report && !publish(report)) missed.push(name);
}
console.log(
  missed.length === 0
    ? `All goals of ${names.join(", ")} are met.`
    : `Goals are missed in ${missed.join(", ")} (of ${names.join(", ")}).`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
