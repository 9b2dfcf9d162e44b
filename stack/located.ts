import type { Fault } from "@hearth-platform/hearth/core/faults";
import { type Path, parsePath } from "./paths.ts";

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

/** Where the values of a file are. */
export interface Places {
  /** Name the faults carry. */
  readonly file: string;
  /** Place of the value at `path`; where it is absent, of the nearest key that should hold it. */
  locate(path: Path): Position;
  /** Place of the key itself. */
  locateKey(path: Path): Position;
}

/** Puts the place of its path in the file on each fault; a key that should not be there is shown at the key, all else at the value. */
export function located(faults: readonly Fault[], places: Places): LocatedFault[] {
  return faults.map((fault) => {
    const path = parsePath(fault.path);
    return {
      ...fault,
      file: places.file,
      ...(isOfKey(fault) ? places.locateKey(path) : places.locate(path)),
    };
  });
}

/** Whether the key itself is at fault. */
export function isOfKey({ code }: Fault): boolean {
  return code === "unknown-key" || code === "secret";
}

/** Faults of one file in the order of its lines. */
export function inOrder(faults: readonly LocatedFault[]): LocatedFault[] {
  return [...faults].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
