import { confirm, isCancel } from "@clack/prompts";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox } from "@hearth-platform/sandbox/sandbox";
import { type Caller, UsageError } from "../command.ts";

/** Deletes the sandbox, after asking unless `yes`, and gives the exit status. @throws UsageError where there is nobody to ask */
export async function reset(yes: boolean, caller: Caller): Promise<number> {
  const { name, folder } = sandboxPaths();
  if (!yes && !(await isConfirmed(name, folder, caller))) {
    caller.error("Nothing was deleted.\n");
    return 1;
  }
  await resetSandbox(name, createProgress());
  caller.error(`The sandbox "${name}" is deleted.\n`);
  return 0;
}

async function isConfirmed(name: string, folder: string, caller: Caller): Promise<boolean> {
  if (!caller.terminal)
    throw new UsageError("reset asks before it deletes, and this is not a terminal: add --yes if you mean it");
  const answer = await confirm({
    message: `Delete the sandbox "${name}" with all that is in it (${folder})?`,
    initialValue: false,
    output: process.stderr,
  });
  return !isCancel(answer) && answer;
}
