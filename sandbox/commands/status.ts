import Table from "cli-table3";
import { sandboxPaths } from "../paths.ts";
import { type PartStatus, sandboxStatus } from "../status.ts";
import { type Command, print, readOptions } from "./command.ts";

export const status: Command = {
  summary: "Show each part: its state, address and process",
  help: `Usage: npm run sandbox -- status [--json]

Shows each part of the sandbox, whether it runs and answers, its address and its process id.
The exit status is 0 when everything runs, 1 when something does not.

  --json   print JSON only`,
  async run(args) {
    const { values } = readOptions(args, { json: { type: "boolean", default: false } });
    const parts = await sandboxStatus(undefined);
    if (values.json) print(JSON.stringify({ folder: sandboxPaths().folder, parts }, undefined, 2));
    else print(`${table(parts)}\n\nFolder: ${sandboxPaths().folder}`);
    return parts.every((part) => part.state === "running") ? 0 : 1;
  },
};

function table(parts: readonly PartStatus[]): string {
  const rows = new Table({ head: ["Part", "State", "Address", "Process"], style: { head: [], border: [] } });
  for (const part of parts) rows.push([part.name, part.state, part.address ?? "", part.pid ?? ""]);
  return rows.toString();
}
