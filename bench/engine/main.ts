import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { openSandbox, resetSandbox } from "@hearth-platform/sandbox/sandbox";
import { sandboxStatus } from "@hearth-platform/sandbox/status";
import { execa } from "execa";
import { type Report, ratios } from "../report.ts";
import { type BenchOptions, interleaved, root, runOnce, type Sample } from "../samples.ts";
import { writeFloor } from "./floor.ts";

const hearth = join(root, "hearth");

/** What a person waits for with nothing to change, beside the same engine with as many trivial objects, in a sandbox of its own. */
export async function run({ runs }: BenchOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  Object.assign(process.env, { XDG_STATE_HOME: join(folder, "state"), HEARTH_SANDBOX: "bench" });
  try {
    await execa(hearth, ["sandbox", "start"], { cwd: root, stdio: "ignore" });
    return await measure(runs, folder);
  } finally {
    await resetSandbox();
    rmSync(folder, { recursive: true });
  }
}

async function measure(runs: number, folder: string): Promise<Report> {
  const sandbox = await openSandbox();
  const { pulumi } = sandbox.programs;
  const own = { ...sandboxEnvironment(sandbox), PULUMI_STACK: "dev" };
  const { stdout } = await execa(pulumi, ["stack", "export"], { cwd: root, env: own });
  const { resources } = (JSON.parse(stdout) as { deployment: { resources: unknown[] } }).deployment;

  const floor = join(folder, "floor");
  writeFloor(floor);
  const env = { ...own, PULUMI_STACK: "floor", BENCH_OBJECTS: String(resources.length) };
  await execa(pulumi, ["stack", "init", "floor"], { cwd: floor, env });
  await execa(pulumi, ["up", "--yes", "--skip-preview", "--non-interactive"], { cwd: floor, env });

  const { plugins } = sandbox.record.processes;
  const helpers = plugins ? [plugins.pid] : [];
  const preview = ["preview", "--non-interactive"];
  // The CLI writes the stack's salt into the file of its settings.
  const settings = join(folder, "Pulumi.dev.yaml");
  copyFileSync(join(root, "Pulumi.dev.yaml"), settings);
  const { base, bare, wrapped, gate, start } = await interleaved(runs, {
    base: () => runOnce(pulumi, preview, { cwd: floor, env, helpers }),
    bare: () => runOnce(pulumi, [...preview, "--config-file", settings], { env: own, helpers }),
    wrapped: () => runOnce(hearth, ["sandbox", "pulumi", ...preview], { helpers }),
    gate: () => runOnce(hearth, ["gate", "--sandbox", "--stack", "dev"], { helpers }),
    start: () => runOnce(hearth, ["sandbox", "start"], { helpers }),
  });
  const wall = (samples: readonly Sample[]) => samples.map((sample) => sample.wall);
  const cpu = (samples: readonly Sample[]) => samples.map((sample) => sample.cpu);
  const more = wall(wrapped).map((seconds, run) => seconds - (wall(bare)[run] ?? Number.NaN));
  const parts = (await sandboxStatus("bench")).flatMap(({ pid }) => (pid === undefined ? [] : memory(pid)));
  return {
    name: "engine",
    figures: [
      { what: `floor: preview of ${resources.length} ConfigMaps`, unit: "s", values: wall(base) },
      { what: `preview of dev, ${resources.length} resources`, unit: "s", values: wall(bare) },
      {
        what: "preview of dev, of the floor",
        unit: "x",
        values: ratios(wall(bare), wall(base)),
        goal: { atMost: 1.3 },
      },
      { what: "preview of dev, of the floor, processor time", unit: "x", values: ratios(cpu(bare), cpu(base)) },
      { what: "the sandbox's command around it", unit: "s", values: more, goal: { atMost: 0.3 } },
      {
        what: "gate of dev, of its preview",
        unit: "x",
        values: ratios(wall(gate), wall(bare)),
        goal: { atMost: 1.25 },
      },
      { what: "npm start, nothing to change", unit: "s", values: wall(start), goal: { atMost: 6 } },
      {
        what: "memory of the sandbox with dev in it",
        unit: "GiB",
        values: [parts.reduce((sum, part) => sum + part, 0)],
        goal: { atMost: 1.5 },
      },
    ],
  };
}

/** Memory of a process in GiB; what it shares with others is divided among them. */
function memory(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 2 ** 20;
}
