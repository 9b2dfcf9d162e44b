import { sandboxPaths } from "@hearth-platform/sandbox/paths";
import { type PartStatus, sandboxStatus } from "@hearth-platform/sandbox/status";
import { readOptions } from "../command.ts";
import { type Command, print } from "./command.ts";
import { table } from "./table.ts";

export const status: Command = {
  summary: "Show each part: its state, address and process",
  help: `Usage: npm run sandbox -- status [--json]

Shows each part of the sandbox, whether it runs and answers, its address and its process id.
The exit status is 0 when everything runs, 1 when something does not.

  --json   print JSON only`,
  async run(args) {
    const values = readOptions(args, { json: { type: "boolean", default: false } });
    const parts = await sandboxStatus(undefined);
    if (values.json) print(JSON.stringify({ folder: sandboxPaths().folder, parts }, undefined, 2));
    else print(`${overview(parts)}\n\nFolder: ${sandboxPaths().folder}`);
    return parts.every((part) => part.state === "running") ? 0 : 1;
  },
};

function overview(parts: readonly PartStatus[]): string {
  return table(
    ["Part", "State", "Address", "Process"],
    parts.map((part) => [part.name, part.state, part.address ?? "", part.pid ?? ""]),
  );
}
