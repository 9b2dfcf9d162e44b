import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { execa } from "execa";

/**
 * How long a person waits, and what the sandbox costs: `npm run bench -- sandbox [--cold]`.
 * Each figure beside its bar; exit status 1 where one is missed. The machine's load is printed, since it is part of every figure.
 */
const { values } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { cold: { type: "boolean", default: false } },
});

const root = join(import.meta.dirname, "..", "..");
const state = mkdtempSync(join(tmpdir(), "hearth-bench-"));
const cold = values.cold
  ? {
      XDG_CACHE_HOME: join(state, "cache"),
      GOMODCACHE: join(state, "go-modules"),
      GOCACHE: join(state, "go-build"),
      GOFLAGS: "-modcacherw",
    }
  : {};
const env = { ...cold, XDG_STATE_HOME: state, HEARTH_SANDBOX: "bench" };

async function hearth(...args: string[]): Promise<{ seconds: number; stdout: string }> {
  const { durationMs, stdout } = await execa("node", [join(root, "sandbox", "bootstrap.mjs"), ...args], {
    cwd: root,
    env,
    stdin: "ignore",
  });
  return { seconds: durationMs / 1000, stdout };
}

async function median(runs: number, measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let run = 0; run < runs; run++) figures.push(await measure());
  return figures.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}

/** Resident memory of the sandbox's parts, in GiB. */
async function memory(): Promise<number> {
  const { parts } = JSON.parse((await hearth("status", "--json")).stdout) as { parts: { pid?: number }[] };
  const pages = parts.map(({ pid }) =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  );
  return pages.reduce((sum, kibibytes) => sum + kibibytes, 0) / 2 ** 20;
}

const load = loadavg()[0]?.toFixed(1);
const rows: [what: string, figure: number, bar: number, unit: string][] = [];
try {
  const first = await hearth("start");
  if (values.cold) rows.push(["cold npm start: empty caches", first.seconds / 60, 12, "min"]);
  rows.push([
    "no-change preview of dev",
    await median(5, async () => (await hearth("pulumi", "preview")).seconds),
    4,
    "s",
  ]);
  rows.push(["memory of the sandbox with dev up", await memory(), 1.5, "GiB"]);
  const restart = async () => {
    await hearth("stop");
    return (await hearth("start")).seconds;
  };
  rows.push(["warm npm start of a stopped sandbox, nothing to change", await median(3, restart), 20, "s"]);
} finally {
  await hearth("reset", "--yes");
  rmSync(state, { recursive: true, force: true });
}

const table = new Table({ head: ["Figure", "Measured", "Bar", ""], style: { head: [] } });
for (const [what, figure, bar, unit] of rows)
  table.push([what, `${figure.toFixed(2)} ${unit}`, `≤ ${bar} ${unit}`, figure <= bar ? "met" : "missed"]);
console.log(table.toString());
console.log(
  `${availableParallelism()} cores, load ${load} before; medians of several runs, on a machine that others may use too.`,
);
process.exitCode = rows.every(([, figure, bar]) => figure <= bar) ? 0 : 1;
