import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "./paths.ts";

/** Hash of files and folders of the checkout. */
export async function contentHash(paths: readonly string[]): Promise<string> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const inFolder = await readdir(join(checkout, path), { recursive: true, withFileTypes: true }).catch(() => []);
      const files = inFolder.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return files.length > 0 ? files.sort() : [join(checkout, path)];
    }),
  );
  const hash = createHash("sha256").update(process.version);
  for (const file of found.flat()) hash.update(`\n${file}\n`).update(await readFile(file));
  return hash.digest("hex");
}
