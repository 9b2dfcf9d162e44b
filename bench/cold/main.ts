import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import type { Report } from "../report.ts";
import { root, runOnce } from "../samples.ts";

const hearth = join(root, "hearth");

/** The first start, with empty caches, then the whole test run and its unit tests alone, once each. */
export async function run(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-bench-"));
  const env = {
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
    GOMODCACHE: join(folder, "go-modules"),
    GOCACHE: join(folder, "go-build"),
    // The module cache is read-only otherwise, and could not be deleted.
    GOFLAGS: `${process.env.GOFLAGS ?? ""} -modcacherw`,
    HEARTH_SANDBOX: "bench",
  };
  try {
    const start = await runOnce(hearth, ["sandbox", "start"], { env });
    await runOnce(hearth, ["sandbox", "reset", "--yes"], { env });
    const { stdout } = await execa("du", ["--summarize", "--block-size=1M", folder]);
    // In this order, since the test run installs what some unit tests start.
    const tests = await runOnce("npm", ["test"]);
    const unit = await runOnce("npm", ["run", "unit"]);
    return {
      name: "cold",
      figures: [
        { what: "first npm start, empty caches", unit: "min", values: [start.wall / 60], goal: { atMost: 8 } },
        { what: "left on disk by it", unit: "GB", values: [Number.parseInt(stdout, 10) / 1000], goal: { atMost: 1.5 } },
        { what: "npm test, programs built", unit: "min", values: [tests.wall / 60], goal: { atMost: 8 } },
        { what: "unit tests, npm run unit", unit: "s", values: [unit.wall], goal: { atMost: 45 } },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
