import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxEnvironment } from "@hearth-platform/sandbox/environment";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { resetSandbox, startSandbox } from "@hearth-platform/sandbox/sandbox";
import { RecordedStack, recordings } from "../test/support/recorded-stack.ts";
import { wholePlatform, writeStack } from "../test/support/stack-files.ts";

/**
 * `node tools/record-stack.ts VERSION`: brings the whole platform up on a sandbox of its own and keeps settings and state in
 * test/upgrades/VERSION, for the test that later programs go on from there.
 */
const [version] = process.argv.slice(2);
if (!version) throw new Error("Say which release this is: node tools/record-stack.ts VERSION");

process.env.HEARTH_SANDBOX = "recorder";
await resetSandbox();
try {
  const sandbox = await startSandbox(undefined, createProgress());
  const folder = join(recordings, version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeStack(wholePlatform(), folder, "Pulumi.dev.yaml");
  const stack = new RecordedStack(folder, sandboxEnvironment(sandbox));
  writeFileSync(join(folder, "state.jsonl"), await stack.record());
  stack.remove();
} finally {
  await resetSandbox();
}
