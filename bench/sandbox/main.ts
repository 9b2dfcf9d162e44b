import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import Table from "cli-table3";
import { execa } from "execa";

const root = join(import.meta.dirname, "..", "..");

/** A figure, in its unit, and the bar it has to stay under. */
interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly bar: number;
  readonly unit: string;
}

/**
 * How long a person waits, and what the sandbox costs: `npm run bench -- sandbox [--cold]`. With `--cold` the programs
 * are built anew, with empty caches. The machine's load is printed, since it is part of every figure.
 * @returns whether every figure is under its bar
 */
export async function run(): Promise<boolean> {
  const load = loadavg()[0]?.toFixed(1);
  const state = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const cold = process.argv.includes("--cold");
  const commands = commandsIn(state, cold);
  const figures: Figure[] = [];
  try {
    const first = await commands.seconds("start");
    if (cold) figures.push({ what: "first npm start, caches of Go empty", measured: first / 60, bar: 12, unit: "min" });
    const preview = await median(5, () => commands.seconds("pulumi", "preview"));
    figures.push({ what: "preview of dev, no change", measured: preview, bar: 4, unit: "s" });
    const memory = residentMemory(await commands.output("status", "--json"));
    figures.push({ what: "memory of the sandbox with dev in it", measured: memory, bar: 1.5, unit: "GiB" });
    const warm = await median(3, async () => {
      await commands.seconds("stop");
      return commands.seconds("start");
    });
    figures.push({ what: "npm start of a stopped sandbox, no change", measured: warm, bar: 20, unit: "s" });
  } finally {
    await commands.seconds("reset", "--yes");
    rmSync(state, { recursive: true, force: true });
  }
  const table = new Table({ head: ["Figure", "Measured", "Bar", ""], style: { head: [], border: [] } });
  for (const { what, measured, bar, unit } of figures)
    table.push([what, `${measured.toFixed(2)} ${unit}`, `≤ ${bar} ${unit}`, measured <= bar ? "met" : "missed"]);
  console.log(table.toString());
  console.log(
    `${availableParallelism()} cores, load ${load} at the start; medians, on a machine that others may use too.`,
  );
  return figures.every(({ measured, bar }) => measured <= bar);
}

/** The commands of a sandbox whose state, and where `cold` its caches, are in `folder`. */
function commandsIn(folder: string, cold: boolean) {
  const caches = {
    XDG_CACHE_HOME: join(folder, "cache"),
    GOMODCACHE: join(folder, "go-modules"),
    GOCACHE: join(folder, "go-build"),
    // The module cache is read-only otherwise, and could not be deleted.
    GOFLAGS: `${process.env.GOFLAGS ?? ""} -modcacherw`,
  };
  const env = { ...(cold && caches), XDG_STATE_HOME: folder, HEARTH_SANDBOX: "bench" };
  const command = (args: readonly string[]) =>
    execa(join(root, "hearth"), ["sandbox", ...args], { cwd: root, env, stdin: "ignore" });
  return {
    seconds: async (...args: string[]) => (await command(args)).durationMs / 1000,
    output: async (...args: string[]) => (await command(args)).stdout,
  };
}

async function median(runs: number, measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let index = 0; index < runs; index++) figures.push(await measure());
  return figures.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

/** Resident memory of the parts that `status --json` lists, in GiB. */
function residentMemory(status: string): number {
  const { parts } = JSON.parse(status) as { parts: { pid?: number }[] };
  const kibibytes = parts.map(({ pid }) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  );
  return kibibytes.reduce((sum, value) => sum + value, 0) / 2 ** 20;
}
