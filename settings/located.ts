import type { Fault } from "../components/faults.ts";
import { parsePath } from "./paths.ts";
import type { YamlFile } from "./yaml-file.ts";

/** A place in a file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A fault with the file it was found in, and the place where that is known. */
export interface LocatedFault extends Fault {
  /** Name of the file, relative to the project. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Puts the place of its path in `yaml` on each fault; an unknown key is shown at the key, all else at the value. */
export function located(faults: readonly Fault[], yaml: YamlFile): LocatedFault[] {
  return faults.map((fault) => {
    const path = parsePath(fault.path);
    return {
      ...fault,
      file: yaml.file,
      ...(fault.code === "unknown-key" ? yaml.locateKey(path) : yaml.locate(path)),
    };
  });
}

/** Faults of one file in the order of its lines. */
export function inOrder(faults: readonly LocatedFault[]): LocatedFault[] {
  return [...faults].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
