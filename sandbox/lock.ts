import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import type { SandboxPaths } from "./paths.ts";
import type { Progress } from "./progress.ts";

const everyMs = 500;
const patienceMs = 10 * 60_000;

/**
 * Runs `work` while no other process starts, stops or resets this sandbox. The lock lies beside the sandbox's folder,
 * since `reset` deletes that. The lock of a process that was killed is taken over after 15 seconds.
 */
export async function withLock<T>(paths: SandboxPaths, progress: Progress, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(paths.folder), { recursive: true, mode: 0o700 });
  const options = { realpath: false, stale: 15_000, lockfilePath: `${paths.folder}.lock` };
  const release = await lock(paths.folder, options).catch(async (error) => {
    if (error.code !== "ELOCKED") throw error;
    const step = progress.step("Waiting for another start or stop of this sandbox");
    const retries = { retries: patienceMs / everyMs, minTimeout: everyMs, maxTimeout: everyMs };
    try {
      const late = await lock(paths.folder, { ...options, retries });
      step.done();
      return late;
    } catch {
      step.failed();
      throw new Error(
        `Another process has held ${options.lockfilePath} for ${patienceMs / 60_000} minutes: end it, then try again.`,
      );
    }
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
