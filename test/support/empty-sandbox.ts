import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox, startSandbox } from "@hearth-platform/sandbox/sandbox";
import { afterAll, beforeAll } from "vitest";
import { claimSandbox, discardSandbox } from "./test-sandboxes.ts";

/** Gives the tests of a file, or of the `describe` it is called in, a sandbox in which nothing was brought up, and deletes it after them. */
export function inEmptySandbox(name: string): void {
  const others = process.env.HEARTH_SANDBOX;
  beforeAll(async () => {
    process.env.HEARTH_SANDBOX = name;
    // A file's process is vitest's child.
    claimSandbox(name, process.ppid);
    await resetSandbox(name);
    await startSandbox(name, createProgress());
  }, 600_000);
  afterAll(async () => {
    process.env.HEARTH_SANDBOX = others;
    await discardSandbox(name);
  });
}
