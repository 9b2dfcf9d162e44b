import { person } from "./command.ts";
import { runHearth } from "./hearth.ts";

process.exitCode = await runHearth(process.argv.slice(2), person);
