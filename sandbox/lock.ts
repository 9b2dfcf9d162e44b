import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { lock } from "proper-lockfile";
import type { Step } from "./progress.ts";

const everyMs = 500;

/** How a lock is held and waited for. */
export interface LockOptions {
  /** A process that gave no sign of life for so long, in milliseconds, has died: its lock counts no more. */
  readonly stale: number;
  /** How long to wait for another process, in milliseconds. @default for ever */
  readonly patience?: number;
  /** Called when another process has the lock: tells the person of the wait. */
  readonly waiting: () => Step;
}

/**
 * Runs `work` while no other process holds the lock of `folder`. It lies beside the folder, which need not be there and may
 * be deleted meanwhile.
 * @param work gets a signal that says the lock is lost (the machine slept for long, say)
 * @throws when the patience is over
 */
export async function withLock<T>(
  folder: string,
  { stale, patience, waiting }: LockOptions,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  const lost = new AbortController();
  const options = { realpath: false, stale, onCompromised: (error: Error) => lost.abort(error) };
  const release = await lock(folder, options).catch(async (error) => {
    if (error.code !== "ELOCKED") throw error;
    const step = waiting();
    const attempts = patience === undefined ? { forever: true } : { retries: patience / everyMs };
    try {
      const late = await lock(folder, { ...options, retries: { ...attempts, factor: 1, minTimeout: everyMs } });
      step.done();
      return late;
    } catch (failure) {
      step.failed();
      if (patience === undefined) throw failure;
      const minutes = patience / 60_000;
      throw new Error(`Another process has held ${folder}.lock for ${minutes} minutes: end it, then try again.`);
    }
  });
  try {
    return await work(lost.signal);
  } finally {
    // A lost lock is another's by now.
    if (!lost.signal.aborted) await release();
  }
}
