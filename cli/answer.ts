import type { LocatedProblem } from "@hearth-platform/stack/settings/located";
import type { Caller } from "./command.ts";

/** Writes a result as JSON. */
export function outputJson(caller: Caller, value: unknown): void {
  caller.output(`${JSON.stringify(value, null, 2)}\n`);
}

/** A problem as programs read it. */
export function problemRow({ severity, code, file, path, line, column, message, remedy }: LocatedProblem) {
  return { severity, code, file, path, line, column, message, remedy };
}
