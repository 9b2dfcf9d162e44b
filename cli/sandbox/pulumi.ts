import { createProgress } from "@hearth-platform/sandbox/progress";
import { pulumi as runPulumi } from "@hearth-platform/sandbox/pulumi-project";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";

/** Runs the Pulumi CLI in the running sandbox and gives its exit status. */
export async function pulumi(args: readonly string[]): Promise<number> {
  return runPulumi(await openSandbox(undefined, createProgress()), args);
}
