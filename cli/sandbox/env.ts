import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import { outputJson } from "../answer.ts";
import type { Caller } from "../command.ts";

/** Prints the variables that lead to the running sandbox. */
export async function env(json: boolean, caller: Caller): Promise<void> {
  const environment = sandboxEnvironment(await openSandbox(undefined, createProgress()));
  if (json) outputJson(caller, environment);
  else caller.output(exportLines(environment));
}

/** `export NAME='value'`, a line each, for a POSIX shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join("");
}
