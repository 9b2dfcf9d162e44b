import { runCommand } from "../command.ts";
import { renderCommand } from "./render.ts";

process.exitCode = await runCommand(renderCommand, process.argv.slice(2));
