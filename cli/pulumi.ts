import { join } from "node:path";
import { execa, type Options } from "execa";
import { UsageError } from "./command.ts";

/** Result of a run of Pulumi. */
export interface PulumiOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly succeeded: boolean;
}

/**
 * Runs Pulumi in the project, on the running sandbox with its state and credentials, or the `pulumi` on PATH, logged in as the caller is.
 * @throws UsageError where there is no Pulumi
 */
export async function runPulumi(
  args: readonly string[],
  { sandbox, project, ...options }: { sandbox: boolean; project: string } & Pick<Options, "env" | "input" | "timeout">,
): Promise<PulumiOutput> {
  const [program = "", ...words] = sandbox
    ? [process.execPath, join(import.meta.dirname, "main.mjs"), "--folder", project, "sandbox", "pulumi"]
    : ["pulumi"];
  const { stdout, stderr, failed, code } = await execa(program, [...words, ...args], {
    cwd: project,
    ...(options.input === undefined ? { stdin: "ignore" } : { input: options.input }),
    env: options.env,
    timeout: options.timeout,
    reject: false,
    // A stack of hundreds of resources has some megabytes of events.
    maxBuffer: 256 * 1024 * 1024,
  });
  if (code === "ENOENT")
    throw new UsageError('There is no "pulumi" on PATH: install it, or name --sandbox to use that of the sandbox');
  return { stdout: String(stdout), stderr: String(stderr), succeeded: !failed };
}
