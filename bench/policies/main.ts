import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Report } from "../report.ts";
import type { BenchOptions } from "../samples.ts";

const project = join(import.meta.dirname, "..", "..");
const packs = ["limits", "baseline"] as const;

/** How long the packs take to be ready, both at once, as the engine starts them. */
export async function run({ runs }: BenchOptions): Promise<Report> {
  // The first start compiles, and keeps what it compiled.
  await both();
  const values: number[] = [];
  for (let count = 0; count < runs; count++) values.push(await both());
  return { name: "policies", figures: [{ what: "start of both packs", unit: "ms", values, goal: { atMost: 800 } }] };
}

/** Milliseconds until the slower one listens. */
async function both(): Promise<number> {
  return Math.max(...(await Promise.all(packs.map(start))));
}

async function start(pack: string): Promise<number> {
  const folder = join(project, "policy", pack);
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
