import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox } from "@hearth-platform/sandbox/sandbox";
import type { Caller } from "../command.ts";
import { isConfirmed } from "../confirm.ts";

/** Deletes the sandbox, after asking unless `yes`, and gives the exit status. @throws UsageError where there is nobody to ask */
export async function reset(yes: boolean, caller: Caller): Promise<number> {
  const { name, folder } = sandboxPaths();
  const question = {
    message: `Delete the sandbox "${name}" with everything in it (${folder})?`,
    initialValue: false,
    unasked: "reset asks before it deletes, and this is not a terminal: add --yes if you mean it",
  };
  if (!yes && !(await isConfirmed(question, caller))) {
    caller.error("Nothing was deleted.\n");
    return 1;
  }
  await resetSandbox(name, createProgress());
  caller.error(`The sandbox "${name}" is deleted.\n`);
  return 0;
}
