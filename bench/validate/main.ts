import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Cost } from "./measure.ts";

const bars = { milliseconds: 100, megabytes: 64 };

/**
 * What the check of a config.yaml costs: every file of the corpus, and the heaviest that the bounds let in.
 * @returns whether each stays below the bars
 */
export async function run(): Promise<boolean> {
  const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, "measure.ts")], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 2 ** 24,
  });
  const costs = (JSON.parse(stdout) as Cost[]).sort((a, b) => b.milliseconds - a.milliseconds);
  for (const { name, milliseconds, megabytes } of costs.slice(0, 10))
    console.log(`${milliseconds.toFixed(1).padStart(6)} ms ${megabytes.toFixed(1).padStart(5)} MB  ${name}`);
  const median = costs[Math.floor(costs.length / 2)]?.milliseconds ?? 0;
  const slowest = costs[0]?.milliseconds ?? 0;
  const most = Math.max(...costs.map(({ megabytes }) => megabytes));
  console.log(
    `${costs.length} files: median ${median.toFixed(1)} ms, most ${slowest.toFixed(1)} ms (bar ${bars.milliseconds}); ` +
      `most memory added ${most.toFixed(1)} MB (bar ${bars.megabytes})`,
  );
  return slowest <= bars.milliseconds && most <= bars.megabytes;
}
