import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { checkout } from "@hearth-platform/sandbox/paths";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { openSandbox } from "@hearth-platform/sandbox/sandbox";
import type { Sandbox } from "@hearth-platform/sandbox/started-sandbox";
import { outputJson } from "../answer.ts";
import type { Caller } from "../command.ts";

/** Prints the variables that lead to the running sandbox. */
export async function env(json: boolean, caller: Caller): Promise<void> {
  const sandbox = await openSandbox(undefined, createProgress());
  const { PATH, ...rest } = sandboxEnvironment(sandbox);
  const environment = { ...rest, PATH: `${ownPulumi(sandbox, caller.project)}${delimiter}${PATH}` };
  if (json) outputJson(caller, environment);
  else caller.output(exportLines(environment));
}

/**
 * Writes a `pulumi` that is `hearth sandbox pulumi`, and gives its folder. The engine's own would write the encryption salt
 * of the sandbox into the stack's tracked file, which no other sandbox could read then.
 */
function ownPulumi({ paths }: Sandbox, project: string): string {
  const folder = join(paths.folder, "bin");
  const words = [process.execPath, join(checkout, "cli", "main.mjs"), "--folder", project, "sandbox", "pulumi"]
    .map(quoted)
    .join(" ");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\nHEARTH_SANDBOX=${quoted(paths.name)} exec ${words} "$@"\n`, {
    mode: 0o755,
  });
  return folder;
}

/** A word for a POSIX shell. */
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** `export NAME='value'`, a line each, for a POSIX shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join("");
}
