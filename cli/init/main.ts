import { runCommand } from "../command.ts";
import { initConfigCommand } from "./init-config.ts";

process.exitCode = await runCommand(initConfigCommand, process.argv.slice(2));
