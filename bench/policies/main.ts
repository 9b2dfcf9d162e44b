import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Report } from "../report.ts";
import type { BenchOptions } from "../samples.ts";

const project = join(import.meta.dirname, "..", "..");

/** How long the pack of the gate takes to be ready, as the engine starts it. */
export async function run({ runs }: BenchOptions): Promise<Report> {
  // The first start compiles, and keeps what it compiled.
  await start();
  const values: number[] = [];
  for (let count = 0; count < runs; count++) values.push(await start());
  return { name: "policies", figures: [{ what: "start of the policies", unit: "ms", values, goal: { atMost: 800 } }] };
}

/** Milliseconds until it listens. */
async function start(): Promise<number> {
  const folder = join(project, "policy");
  const launcher = createRequire(join(folder, "index.js")).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  const started = performance.now();
  // The engine's address is not called while nothing is reported.
  const child = spawn(process.execPath, [launcher, "127.0.0.1:1", folder], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface(child.stdout), "line");
  const took = performance.now() - started;
  // Long enough to write what was compiled, as while the engine works.
  setTimeout(() => child.kill(), 1000);
  await once(child, "exit");
  return took;
}
