import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withLock } from "@hearth-platform/sandbox/lock";
import type { Progress } from "@hearth-platform/sandbox/progress";
import { type FileBackend, locksOf } from "../heal/file-backend.ts";

const everyMs = 500;

/**
 * Runs `work` when no other start brings the stack up, and no other Pulumi of this machine works on it; says whom it waits for.
 * @param folder of the sandbox
 */
export function inTurn<T>(
  folder: string,
  backend: FileBackend,
  progress: Progress,
  work: () => Promise<T>,
): Promise<T> {
  const waiting = () => progress.step(`Waiting for another start, which is bringing up stack ${backend.stack}`);
  return withLock(join(folder, "up"), { stale: 15_000, waiting }, async () => {
    await untilFree(backend, progress);
    return work();
  });
}

async function untilFree(backend: FileBackend, progress: Progress): Promise<void> {
  // Of another machine's process it can't be told here whether it runs: Pulumi itself names it.
  const holder = () => locksOf(backend).find(({ stale, host }) => !stale && host === hostname());
  const first = holder();
  if (!first) return;
  const step = progress.step(`Waiting for Pulumi, process ${first.pid}, which is working on stack ${backend.stack}`);
  while (holder()) await sleep(everyMs);
  step.done();
}
