import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { median, type Report } from "../report.ts";
import type { Cost } from "./measure.ts";

/** What the check of a config.yaml costs: every file of the corpus, and the heaviest that the bounds let in, once each. */
export async function run(): Promise<Report> {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "measure.ts")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 24,
  });
  const costs = (JSON.parse(stdout) as Cost[]).sort((a, b) => b.milliseconds - a.milliseconds);
  const times = costs.map(({ milliseconds }) => milliseconds);
  return {
    name: "validate",
    figures: [
      { what: "check of a file of the corpus", unit: "ms CPU", values: times },
      { what: `the slowest, ${costs[0]?.name}`, unit: "ms CPU", values: [Math.max(...times)], goal: { atMost: 100 } },
      {
        what: "memory added by one file",
        unit: "MB",
        values: [Math.max(...costs.map(({ megabytes }) => megabytes))],
        goal: { atMost: 64 },
      },
    ],
    notes: [`${costs.length} files, median ${median(times).toFixed(1)} ms.`],
  };
}
