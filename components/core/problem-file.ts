import { appendFileSync } from "node:fs";
import type { Problem } from "./problems.ts";

/** Variable with the path of a file: what a preview tells people of problems, its programs write there as data. */
export const problemFileVariable = "HEARTH_PROBLEM_FILE";

/** A problem as it was told: of the settings, with its place in a file, or of a resource, with the text that the engine passes on. */
export interface ToldProblem extends Problem {
  readonly file?: string;
  /** From 1, as the column. */
  readonly line?: number;
  readonly column?: number;
  /** Of a policy, whose name is the code. */
  readonly text?: string;
}

/** Writes a problem where a command has asked for it. */
export function writeProblem(problem: ToldProblem): void {
  const file = process.env[problemFileVariable];
  // Several processes write: a line each is appended whole.
  if (file) appendFileSync(file, `${JSON.stringify(problem)}\n`);
}
