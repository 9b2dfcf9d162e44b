import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { UsageError } from "../command.ts";

/** File in a rendered folder that lists what was written there. */
const listName = ".rendered";

/**
 * Makes a folder hold exactly these files, beside what else is in a folder rendered before; files of an earlier run that are no longer rendered go.
 * @param files content by relative path
 * @param base folder that the caller trusts, such as the current one
 * @throws UsageError where the folder holds other files and was never rendered to, one of them would be overwritten, or the way to one leads through a link
 */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>, base: string): void {
  const own = ownFiles(folder, base);
  const foreign = own === undefined && existsSync(folder) ? readdirSync(folder)[0] : undefined;
  if (foreign !== undefined)
    throw new UsageError(
      `${folder} is not empty and was not rendered: it contains ${foreign}. Use another folder, or empty this one`,
    );
  for (const path of new Set([...(own ?? []), ...files.keys()])) refuseLinks(folder, path);
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

/** Whether a file of this relative path was written to the folder. @throws UsageError where the way to the folder leads through a link or a file */
export function wasRendered(folder: string, path: string, base: string): boolean {
  return ownFiles(folder, base)?.includes(path) ?? false;
}

/** What the folder's list names. Whoever can write to the folder can write to the list: it counts for files that hearth writes, none of which is hidden. */
function ownFiles(folder: string, base: string): string[] | undefined {
  refuseOtherPlace(folder, base);
  const list = join(folder, listName);
  if (!existsSync(list)) return undefined;
  const inside = (path: string) => path !== "" && !isAbsolute(path) && !/(^|\/)\./.test(normalize(path));
  return readFileSync(list, "utf8").split("\n").filter(inside);
}

/** The folder and its list are themselves, below a base that others can't write to; above, links are the machine's affair. */
function refuseOtherPlace(folder: string, base: string): void {
  const file = pathsTo(folder).find((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());
  if (file !== undefined) throw new UsageError(`${file} is a file, and a folder is written. Name another path`);
  const below = relative(base, folder);
  const inBase = !isAbsolute(below) && below.split(sep)[0] !== "..";
  if (inBase) refuseLinks(base, below);
  else refuseLinks(dirname(folder), relative(dirname(folder), folder));
  refuseLinks(folder, listName);
}

/** @throws UsageError where a part of a relative path is a link: files would be written or deleted elsewhere */
function refuseLinks(folder: string, path: string): void {
  const link = pathsTo(path)
    .map((part) => join(folder, part))
    .find((part) => lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink());
  if (link !== undefined)
    throw new UsageError(
      `${link} is a symbolic link, and none is followed. Put a plain file or folder in its place, or use another folder`,
    );
}

/** Every parent of a path and the path itself, from the top. */
function pathsTo(path: string): string[] {
  const parts = normalize(path).split(sep);
  return parts.map((_, index) => parts.slice(0, index + 1).join(sep)).filter((part) => part !== "" && part !== ".");
}

function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  const parent = dirname(join(folder, path));
  if (existsSync(parent) && readdirSync(parent).length === 0) rmdirSync(parent);
}
