import { constants } from "node:os";
import { execa } from "execa";
import { hearingSignals } from "./stop-signals.ts";

/**
 * Runs a program with this terminal as its own. Signals go to it and not to us: it ends in its own way.
 * @returns its exit status; 128 plus the signal's number when a signal ended it, as shells have it
 * @throws when it cannot be executed
 */
export async function runForeground(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env: NodeJS.ProcessEnv },
): Promise<number> {
  const child = execa(program, args, { ...options, extendEnv: false, stdio: "inherit", reject: false });
  // In a terminal Ctrl-C reaches the program by itself, and a second one would mean "at once" to Pulumi.
  const terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const pass = (signal: NodeJS.Signals) => {
    if (signal !== "SIGINT" || !terminal) child.kill(signal);
  };
  const result = await hearingSignals(pass, () => child);
  if (result.exitCode !== undefined) return result.exitCode;
  if (result.signal) return 128 + constants.signals[result.signal];
  throw result.cause ?? new Error(`${program} could not be run.`);
}
