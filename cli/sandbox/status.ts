import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type PartStatus, sandboxStatus } from "@hearth-platform/sandbox/status";
import { outputJson } from "../answer.ts";
import type { Caller } from "../command.ts";
import { table } from "./table.ts";

/** Shows each part of the sandbox and gives the exit status: 0 everything runs, 1 something does not. */
export async function status(json: boolean, caller: Caller): Promise<number> {
  const parts = await sandboxStatus(undefined);
  const { folder } = sandboxPaths();
  if (json) outputJson(caller, { folder, parts });
  else caller.output(`${overview(parts)}\n\nFolder: ${folder}\n`);
  return parts.every((part) => part.state === "running") ? 0 : 1;
}

function overview(parts: readonly PartStatus[]): string {
  return table(
    ["Part", "State", "Address", "Process"],
    parts.map((part) => [part.name, part.state, part.address ?? "", part.pid ?? ""]),
  );
}
