import { runCommand } from "../command.ts";
import { policiesCommand } from "./command.ts";

process.exitCode = await runCommand(policiesCommand, process.argv.slice(2));
