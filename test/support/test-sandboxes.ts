import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { identify, isRunning, type ProcessIdentity } from "@hearth-platform/sandbox/detached-process";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { resetSandbox } from "@hearth-platform/sandbox/sandbox";

/** Ends the name of a note beside a sandbox's folder: which run of tests will delete it. */
const ending = ".of-tests";

/** Notes that a run of tests has this sandbox, and deletes it. @param run process id of the run */
export function claimSandbox(name: string, run: number): void {
  const note = noteOf(name);
  mkdirSync(dirname(note), { recursive: true, mode: 0o700 });
  // In one step: another run that read half of it would take the sandbox for one that nobody has.
  const made = `${note}.${process.pid}`;
  writeFileSync(made, JSON.stringify(identify(run)));
  renameSync(made, note);
}

/** Deletes a sandbox that was claimed. */
export async function discardSandbox(name: string): Promise<void> {
  await resetSandbox(name);
  rmSync(noteOf(name), { force: true });
}

/** Deletes the sandboxes of this checkout whose runs ended without doing so. @returns their names */
export async function reapSandboxes(): Promise<string[]> {
  const left = claimed().filter((name) => !isRunning(ownerOf(name)));
  for (const name of left) await discardSandbox(name);
  return left;
}

const noteOf = (name: string) => `${sandboxPaths(name).folder}${ending}`;

function claimed(): string[] {
  try {
    return readdirSync(dirname(sandboxPaths().folder)).flatMap((file) =>
      file.endsWith(ending) ? [file.slice(0, -ending.length)] : [],
    );
  } catch {
    // No sandbox was ever made.
    return [];
  }
}

function ownerOf(name: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(join(noteOf(name)), "utf8")) as ProcessIdentity;
  } catch {
    // Torn by a machine that went down.
    return undefined;
  }
}
