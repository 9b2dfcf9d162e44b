import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { runForeground } from "@hearth-platform/sandbox/run-foreground";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";

/** Runs kubectl on the running sandbox's cluster and gives its exit status. */
export async function kubectl(args: readonly string[]): Promise<number> {
  const sandbox = await openSandbox(undefined, createProgress());
  return runForeground(sandbox.programs.kubectl, args, { env: { ...process.env, ...sandboxEnvironment(sandbox) } });
}
