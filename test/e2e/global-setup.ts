import { ensurePrograms } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox, startSandbox } from "@hearth-platform/sandbox/sandbox";
import type { TestProject } from "vitest/node";
import { claimSandbox, discardSandbox, reapSandboxes } from "../support/test-sandboxes.ts";

/**
 * Starts the sandbox of a project's tests from nothing, never one that a person uses, and deletes it afterwards unless
 * `HEARTH_KEEP_SANDBOX` is set. What a run left that was killed is deleted first.
 */
export async function setup({ name }: TestProject): Promise<() => Promise<void>> {
  const progress = createProgress();
  await ensurePrograms(progress);
  await reapSandboxes();
  const isKept = Boolean(process.env.HEARTH_KEEP_SANDBOX);
  if (!isKept) claimSandbox(name, process.pid);
  await resetSandbox(name);
  await startSandbox(name, progress);
  return async () => {
    if (!isKept) await discardSandbox(name);
  };
}
