import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";

/** The checkout that is measured. */
export const root = join(import.meta.dirname, "..");

/** What a benchmark is told. */
export interface BenchOptions {
  /** How often each thing is measured. */
  readonly runs: number;
}

/** What one run of something took, in seconds. */
export interface Sample {
  /** By the clock. */
  readonly wall: number;
  /** Of processor time, user and system, with all the processes it started and waited for: what else the machine does is not counted. */
  readonly cpu: number;
}

/** Something to be measured, by its name. */
export type Measure = () => Promise<Sample>;

/** Clock ticks a second in /proc, on every Linux that Node runs on. */
const ticks = 100;

/** Processor time of a running process, in seconds. */
export function processorTime(pid: number | "self", { ofEndedChildren = false } = {}): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses and may hold anything; `man 5 proc_pid_stat`.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [first, second] = ofEndedChildren ? [13, 14] : [11, 12];
  return (Number(fields[first]) + Number(fields[second])) / ticks;
}

export interface CommandOptions {
  /** @default the checkout */
  readonly cwd?: string;
  /** Laid over the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Processes that work for it and run on after it. */
  readonly helpers?: readonly number[];
}

/**
 * Runs a command to its end.
 * @throws with its output when it fails
 */
export async function runOnce(
  file: string,
  args: readonly string[],
  { cwd = root, env, helpers = [] }: CommandOptions = {},
): Promise<Sample> {
  const used = () =>
    helpers.reduce((sum, pid) => sum + processorTime(pid), processorTime("self", { ofEndedChildren: true }));
  const before = used();
  const { durationMs, failed, all } = await execa(file, args, { cwd, env, stdin: "ignore", all: true, reject: false });
  if (failed) throw new Error(`${file} ${args.join(" ")} failed:\n${all}`);
  return { wall: durationMs / 1000, cpu: used() - before };
}

/** Takes turns, so that what disturbs the machine for a while disturbs all of them. The first round is not counted: it fills caches. */
export async function interleaved<Name extends string>(
  runs: number,
  measures: Readonly<Record<Name, Measure>>,
): Promise<Record<Name, Sample[]>> {
  const names = Object.keys(measures) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<Name, Sample[]>;
  for (let round = 0; round <= runs; round++) {
    for (const name of names) {
      const sample = await measures[name]();
      if (round > 0) samples[name].push(sample);
    }
  }
  return samples;
}
