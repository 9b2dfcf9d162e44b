import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGo, runGo } from "@hearth-platform/sandbox/programs/go";

/**
 * Downloads the one Go module that `go.mod` in a folder names, checked by the `go.sum` beside it, and reads it.
 * @throws Error where it can't be had
 */
export async function readGoModule<Result>(
  source: string,
  read: (module: { version: string; folder: string }) => Promise<Result>,
): Promise<Result> {
  const scratch = await mkdtemp(join(tmpdir(), "hearth-go-module-"));
  try {
    const run = {
      source,
      scratch,
      caches: join(scratch, "go"),
      log: join(scratch, "log"),
      go: await findGo(),
      signal: new AbortController().signal,
    };
    const { Version, Dir } = JSON.parse(await runGo({ ...run, args: ["mod", "download", "-json"] }));
    return await read({ version: Version, folder: Dir });
  } finally {
    await rm(scratch, { recursive: true });
  }
}
