import { runCommand } from "../command-line/command.ts";
import { renderCommand } from "./render.ts";

process.exitCode = await runCommand(renderCommand, process.argv.slice(2));
