import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { UsageError } from "../command.ts";

/** File in a rendered folder that lists what was written there. */
const listName = ".rendered";

/**
 * Makes a folder hold exactly these files, beside what else is in a folder rendered before; files of an earlier run that are no longer rendered go.
 * @param files content by relative path
 * @throws UsageError where the folder holds other files and was never rendered to, or one of them would be overwritten
 */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  const own = ownFiles(folder);
  const foreign = own === undefined && existsSync(folder) ? readdirSync(folder)[0] : undefined;
  if (foreign !== undefined)
    throw new UsageError(
      `${folder} is not empty and was not rendered: it contains ${foreign}. Use another folder, or empty this one`,
    );
  const taken = [...files.keys()].find((path) => !own?.includes(path) && existsSync(join(folder, path)));
  if (taken !== undefined)
    throw new UsageError(
      `${join(folder, taken)} was not rendered and would be overwritten. Move it, or use another folder.`,
    );

  mkdirSync(folder, { recursive: true });
  // The list is written first: whatever an interrupted run leaves is known to the next one.
  writeFileSync(join(folder, listName), `${[...new Set([...(own ?? []), ...files.keys()])].join("\n")}\n`);
  for (const path of own ?? []) if (!files.has(path)) removeFile(folder, path);
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  writeFileSync(join(folder, listName), `${[...files.keys()].join("\n")}\n`);
}

/** Whether a file of this relative path was written to the folder. */
export function wasRendered(folder: string, path: string): boolean {
  return ownFiles(folder)?.includes(path) ?? false;
}

function ownFiles(folder: string): string[] | undefined {
  const list = join(folder, listName);
  if (!existsSync(list)) return undefined;
  const inside = (path: string) => path !== "" && !isAbsolute(path) && !normalize(path).startsWith("..");
  return readFileSync(list, "utf8").split("\n").filter(inside);
}

function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  const parent = dirname(join(folder, path));
  if (existsSync(parent) && readdirSync(parent).length === 0) rmdirSync(parent);
}
