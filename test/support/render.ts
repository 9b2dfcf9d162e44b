import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";

const root = join(import.meta.dirname, "..", "..");

/** Runs `hearth render` for a stack and returns the folder with its files. @throws Error where it fails */
export async function render(stack: string): Promise<string> {
  const folder = join(mkdtempSync(join(tmpdir(), "hearth-render-")), stack);
  await execa(process.execPath, [join(root, "cli", "main.mjs"), "render", "--stack", stack, "--out", folder], {
    cwd: root,
  });
  return folder;
}
