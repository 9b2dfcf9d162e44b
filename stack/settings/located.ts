import { type Path, parsePath } from "@hearth-platform/hearth/core/paths";
import type { Problem } from "@hearth-platform/hearth/core/problems";

/** A place in a file; lines and columns count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A problem with the file it was found in, and the place where that is known. */
export interface LocatedProblem extends Problem {
  /** Name of the file, relative to the project. */
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/** Where the values of a file are. */
export interface Places {
  /** Name the problems carry. */
  readonly file: string;
  /** Place of the value at `path`; where it is absent, of the nearest key that should hold it. */
  locate(path: Path): Position;
  /** Place of the key itself. */
  locateKey(path: Path): Position;
}

/** Adds to each problem the place of its path in the file: the key for a key that should not exist, otherwise the value. */
export function located(problems: readonly Problem[], places: Places): LocatedProblem[] {
  return problems.map((problem) => {
    const path = parsePath(problem.path);
    return {
      ...problem,
      file: places.file,
      ...(isOfKey(problem) ? places.locateKey(path) : places.locate(path)),
    };
  });
}

/** Whether the key itself is what is wrong. */
export function isOfKey({ code }: Problem): boolean {
  return code === "unknown-key" || code === "secret";
}

/** Problems of one file in the order of its lines. */
export function byPlace(problems: readonly LocatedProblem[]): LocatedProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
