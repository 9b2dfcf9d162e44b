import { runCommand } from "../command.ts";
import { gateCommand } from "./command.ts";
import { preview } from "./preview.ts";

process.exitCode = await runCommand(gateCommand(preview), process.argv.slice(2));
