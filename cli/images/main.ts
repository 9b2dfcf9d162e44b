import { runCommand } from "../command.ts";
import { imagesCommand } from "./command.ts";

process.exitCode = await runCommand(imagesCommand, process.argv.slice(2));
