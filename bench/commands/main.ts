import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "../report.ts";
import { type BenchOptions, interleaved, root, runOnce } from "../samples.ts";

const hearth = join(root, "hearth");

/** How long commands take that ask nobody, beside a Node that does nothing. */
export async function run({ runs }: BenchOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  try {
    const { node, validate, render } = await interleaved(runs, {
      node: () => runOnce(process.execPath, ["-e", "0"]),
      validate: () => runOnce(hearth, ["validate", "suites/team/config.yaml", "--offline"]),
      render: () => runOnce(hearth, ["render", "--stack", "prod", "--out", join(folder, "prod")]),
    });
    const seconds = (samples: readonly { wall: number }[]) => samples.map(({ wall }) => wall);
    return {
      name: "commands",
      figures: [
        { what: "node -e 0", unit: "s", values: seconds(node) },
        { what: "validate of one file, offline", unit: "s", values: seconds(validate), goal: { atMost: 0.3 } },
        { what: "render of prod", unit: "s", values: seconds(render), goal: { atMost: 0.6 } },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
