import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { error, type Fault } from "@hearth-platform/hearth/core/faults";
import { bounds } from "./yaml-scan.ts";

/**
 * A settings file's bytes, never more than the bound, or why it can't be had.
 * @param folder what a relative `file` starts from
 * @param path of the setting that names the file; empty: a person named it
 * @param remedy for a file that is not there
 */
export function readBounded(folder: string, file: string, path: string, remedy: string): Uint8Array | Fault {
  const fault = (problem: string, remedy: string) => error("file", path, `${file} ${problem}.`, remedy);
  try {
    const status = statSync(resolve(folder, file));
    if (!status.isFile()) return fault("is not a file", "Name a file.");
    if (status.size > bounds.bytes) return fault(`has ${status.size} bytes`, `The most is ${bounds.bytes}.`);
    return readFileSync(resolve(folder, file));
  } catch (problem) {
    const missing = (problem as NodeJS.ErrnoException).code === "ENOENT";
    return missing ? fault("does not exist", remedy) : fault("can't be read", "Make it readable for you.");
  }
}
