import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { runForeground } from "@hearth-platform/sandbox/run-foreground";
import { sandboxStatus } from "@hearth-platform/sandbox/status";
import { type Caller, UsageError } from "../command.ts";

/** Shows the log of a part, or which parts there are, and gives the exit status. @throws UsageError for another name */
export async function logs(name: string | undefined, follow: boolean, caller: Caller): Promise<number> {
  const parts = await sandboxStatus(undefined);
  if (name === undefined) {
    if (follow) throw new UsageError("--follow needs the name of a part");
    const width = Math.max(...parts.map((part) => part.name.length));
    caller.output(parts.map((part) => `${part.name.padEnd(width)}  ${part.log}\n`).join(""));
    return 0;
  }
  const part = parts.find((candidate) => candidate.name === name);
  if (!part)
    throw new UsageError(`There is no part "${name}". The parts are: ${parts.map(({ name }) => name).join(", ")}`);
  if (!(await stat(part.log).catch(() => undefined)))
    throw new Error(`${part.name} has no log yet: start the sandbox with ./hearth sandbox start --no-up.`);
  if (follow) return runForeground("tail", ["-n", "+1", "-F", part.log], { env: process.env });
  for await (const chunk of createReadStream(part.log, "utf8")) caller.output(chunk);
  return 0;
}
