import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { error, type Problem, shown } from "@hearth-platform/hearth/core/problems";
import { bounds } from "./yaml-scan.ts";

/**
 * A settings file's bytes, never more than the bound, or why it can't be had.
 * @param folder what a relative `file` starts from
 * @param path of the setting that names the file; empty: a person named it
 * @param remedy for a file that is not there
 */
export function readBounded(folder: string, file: string, path: string, remedy: string): Uint8Array | Problem {
  const problem = (problem: string, remedy: string) =>
    error("file", path, `${path === "" ? printable(file) : "The file"} ${problem}.`, remedy);
  try {
    const status = statSync(resolve(folder, file));
    if (!status.isFile()) return problem("is not a file", "Name a file, not a folder.");
    if (status.size > bounds.bytes) return problem(`has ${status.size} bytes`, `The limit is ${bounds.bytes}.`);
    return readFileSync(resolve(folder, file));
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    return missing
      ? problem("does not exist", remedy)
      : problem("can't be read", "Change its permissions so that you can read it.");
  }
}

/** A file's name as a message shows it. */
function printable(file: string): string {
  return /^[\x20-\x7e]{1,200}$/.test(file) ? file : shown(file);
}
