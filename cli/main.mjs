import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

// Node keeps compiled code there, which halves the start-up time. This file itself is not: in TypeScript
// it would load the compiler at every start, another tenth.
enableCompileCache(join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hearth", "compile-cache"));

// Whoever reads the output has seen enough: `hearth policies | head`.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

const { person } = await import("./command.ts");
const { runHearth } = await import("./hearth.ts");

process.exitCode = await runHearth(process.argv.slice(2), person);
