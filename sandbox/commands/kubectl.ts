import { Misuse } from "../../command-line/command.ts";
import { sandboxEnvironment } from "../environment.ts";
import { createProgress } from "../progress.ts";
import { runForeground } from "../run-foreground.ts";
import { openSandbox } from "../sandbox.ts";
import type { Command } from "./command.ts";

export const kubectl: Command = {
  summary: "Run kubectl on the sandbox's cluster",
  help: `Usage: npm run sandbox -- kubectl ARGUMENTS...

Runs kubectl on the sandbox's cluster, with your arguments as they are; "kubectl help" shows kubectl's own help.
Example: npm run sandbox -- kubectl get pods --all-namespaces`,
  async run(args) {
    if (args.length === 0) throw new Misuse("Say what kubectl should do.");
    const sandbox = await openSandbox(undefined, createProgress());
    return runForeground(sandbox.programs.kubectl, args, { env: { ...process.env, ...sandboxEnvironment(sandbox) } });
  },
};
