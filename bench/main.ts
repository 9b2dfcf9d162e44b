import { Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { publish, type Report } from "./report.ts";

/** What a benchmark is told. */
export interface BenchOptions {
  /** How often each thing is measured. */
  readonly runs: number;
}

type Benchmark = (options: BenchOptions) => Promise<Report>;

/** Benchmarks by name, in the order in which `all` runs them. */
const benchmarks: Readonly<Record<string, () => Promise<{ run: Benchmark }>>> = {
  commands: () => import("./commands/main.ts"),
  validate: () => import("./validate/main.ts"),
  policies: () => import("./policies/main.ts"),
  growth: () => import("./growth/main.ts"),
  engine: () => import("./engine/main.ts"),
  webhook: () => import("./webhook/main.ts"),
};

/** What takes so long that it is measured once, and by its name alone. */
const apart: typeof benchmarks = { cold: () => import("./cold/main.ts") };

const known = { ...benchmarks, ...apart };

const command = new Command("bench")
  .description("Measures hearth. Exits with 1 where a goal is missed.")
  .argument("<names...>", `all, or some of ${Object.keys(known).join(", ")}`, (name: string, names?: string[]) => {
    if (name !== "all" && !(name in known))
      throw new InvalidArgumentError(`Say all, or some of ${Object.keys(known).join(", ")}.`);
    return [...(names ?? []), ...(name === "all" ? Object.keys(benchmarks) : [name])];
  })
  .option("--runs <n>", "how often each thing is measured", positive, 7)
  .parse();

const [names] = command.processedArgs;
const missed: string[] = [];
for (const name of names) {
  const { run } = (await known[name]?.()) ?? {};
  const report = await run?.(command.opts());
  if (report && !publish(report)) missed.push(name);
}
console.log(
  missed.length === 0
    ? `All goals of ${names.join(", ")} are met.`
    : `Goals are missed in ${missed.join(", ")} (of ${names.join(", ")}).`,
);
process.exitCode = missed.length === 0 ? 0 : 1;

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("Say a whole number from 1.");
  return number;
}
