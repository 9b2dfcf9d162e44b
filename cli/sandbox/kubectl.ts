import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { runForeground } from "@hearth-platform/sandbox/run-foreground";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type { Caller } from "../command.ts";

/** Runs kubectl on the running sandbox's cluster and gives its exit status. */
export async function kubectl(args: readonly string[], caller: Pick<Caller, "error">): Promise<number> {
  const sandbox = await openSandbox(undefined, createProgress());
  const env = { ...process.env, ...sandboxEnvironment(sandbox) };
  const status = await runForeground(sandbox.programs.kubectl, args, { env });
  const limit = status === 0 ? undefined : limitOf(args);
  if (limit !== undefined) caller.error(`${limit} docs/explanation/sandbox.md says what is simulated.\n`);
  return status;
}

const noProgram = "No image runs in the sandbox's pods, so there is no program to reach.";

/** Verbs that a simulated pod can't answer: what is missing. */
const limits: Readonly<Record<string, string>> = {
  attach: noProgram,
  cp: noProgram,
  debug: noProgram,
  exec: noProgram,
  "port-forward": noProgram,
  top: "No image runs in the sandbox's pods, so there is nothing to measure, and no metrics-server.",
};

/** Why a command of kubectl can't work in the sandbox; undefined where it could. */
export function limitOf(args: readonly string[]): string | undefined {
  const verb = args.find((arg) => arg in limits || arg === "logs");
  if (verb === "logs")
    return args.some((arg) => arg === "-p" || arg.startsWith("--previous"))
      ? "A pod of the sandbox is simulated and has had no earlier run."
      : undefined;
  return verb && limits[verb];
}
