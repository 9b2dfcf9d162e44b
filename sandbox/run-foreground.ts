import { constants } from "node:os";
import { execa } from "execa";

/**
 * Runs a program with this terminal as its own. Ctrl-C goes to it and not to us: it ends in its own way.
 * @returns its exit status; 128 plus the signal's number when a signal ended it, as shells have it
 * @throws when it cannot be executed
 */
export async function runForeground(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const ignore = () => {};
  process.on("SIGINT", ignore);
  try {
    const result = await execa(program, args, { ...options, extendEnv: false, stdio: "inherit", reject: false });
    if (result.exitCode !== undefined) return result.exitCode;
    if (result.signal) return 128 + constants.signals[result.signal];
    throw result.cause ?? new Error(`${program} could not be run.`);
  } finally {
    process.off("SIGINT", ignore);
  }
}
