// `npm test`: installs the packages, then goes on in TypeScript under the packaged Node 24.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensurePackages, nodePath } from "../cli/bootstrap.mjs";

await ensurePackages();
const run = spawn(nodePath(), [fileURLToPath(new URL("run.ts", import.meta.url)), ...process.argv.slice(2)], {
  stdio: "inherit",
});
// It deletes its sandboxes before it ends.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => run.kill(signal));
run.on("exit", (status) => process.exit(status ?? 1));
