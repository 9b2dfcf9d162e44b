import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { readOptions } from "../command.ts";
import { type Command, print } from "./command.ts";

export const env: Command = {
  summary: "Print the variables that lead a shell to the sandbox",
  help: `Usage: eval "$(npm run sandbox -- env)"

Prints export lines for a shell, which lead pulumi, kubectl and S3 clients in it to the running sandbox.`,
  async run(args) {
    readOptions(args, {});
    print(exportLines(sandboxEnvironment(await openSandbox(undefined, createProgress()))));
    return 0;
  },
};

/** `export NAME='value'`, a line each, for a POSIX shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}
