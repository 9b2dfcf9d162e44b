import { runCommand } from "../command.ts";
import { validateCommand } from "./command.ts";

process.exitCode = await runCommand(validateCommand, process.argv.slice(2));
