import { writeProblem } from "@hearth-platform/hearth/core/problem-file";
import * as pulumi from "@pulumi/pulumi";
import type { LocatedProblem } from "./located.ts";
import { formatProblem } from "./report.ts";

/** Warns of a problem in Pulumi's log, and as data where a command asks for it. Resolves once the engine has it. */
export function warn(problem: LocatedProblem): Promise<void> {
  writeProblem(problem);
  return pulumi.log.warn(formatProblem(problem));
}
