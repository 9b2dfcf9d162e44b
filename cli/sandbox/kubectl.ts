import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { runForeground } from "@hearth-platform/sandbox/run-foreground";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { Misuse } from "../command.ts";
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
