// `npm test`: installs the packages, then goes on in TypeScript under the packaged Node 24.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensurePackages, nodePath } from "../cli/bootstrap.mjs";

await ensurePackages();
const run = spawnSync(nodePath(), [fileURLToPath(new URL("run.ts", import.meta.url)), ...process.argv.slice(2)], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
