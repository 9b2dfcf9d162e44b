import { confirm, isCancel } from "@clack/prompts";
import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox } from "@hearth-platform/sandbox/sandbox";
import { Misuse, readOptions } from "../command.ts";
import { type Command, note } from "./command.ts";

export const reset: Command = {
  summary: "Delete the sandbox with all that is in it, after asking",
  help: `Usage: npm run sandbox -- reset [--yes]

Stops the sandbox and deletes it: cluster objects, buckets, images and Pulumi's state of it are gone.
The built programs are kept. It asks first.

  --yes, -y   do not ask`,
  async run(args) {
    const values = readOptions(args, { yes: { type: "boolean", short: "y", default: false } });
    const { name, folder } = sandboxPaths();
    if (!values.yes && !(await isConfirmed(name, folder))) {
      note("Nothing was deleted.");
      return 1;
    }
    await resetSandbox(name, createProgress());
    note(`The sandbox "${name}" is deleted.`);
    return 0;
  },
};

async function isConfirmed(name: string, folder: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Misuse("reset asks before it deletes, and this is not a terminal: add --yes if you mean it.");
  const answer = await confirm({
    message: `Delete the sandbox "${name}" with all that is in it (${folder})?`,
    initialValue: false,
    output: process.stderr,
  });
  return !isCancel(answer) && answer;
}
