import { createProgress } from "@hearth-platform/sandbox/progress";
import { pulumi as runPulumi } from "@hearth-platform/sandbox/pulumi-project";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { Misuse } from "../command.ts";
import type { Command } from "./command.ts";

export const pulumi: Command = {
  summary: "Run the Pulumi CLI on stack dev in the sandbox",
  help: `Usage: npm run sandbox -- pulumi ARGUMENTS...

Runs the real Pulumi CLI on this program, with your arguments as they are; "pulumi help" shows its own help.
The stack is dev, unless --stack names another. Its state is in the sandbox; the work tree stays as it is.
Example: npm run sandbox -- pulumi preview --diff`,
  async run(args) {
    if (args.length === 0) throw new Misuse("Say what pulumi should do.");
    return runPulumi(await openSandbox(undefined, createProgress()), args);
  },
};
