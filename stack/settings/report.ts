import { Severity } from "@hearth-platform/hearth/core/problems";
import type { LocatedProblem } from "./located.ts";

/** One problem on two lines, the first in the form editors and terminals make a link of: `file:line:column`. */
export function formatProblem(problem: LocatedProblem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(":");
  const subject = problem.path === "" ? "" : `${problem.path}: `;
  return `${place}: ${problem.severity}: ${subject}${problem.message} [${problem.code}]\n    ${problem.remedy}`;
}

/** Every problem, errors and warnings in the order of files and lines, below a count. */
export function formatReport(problems: readonly LocatedProblem[]): string {
  const count = (severity: Severity) => problems.filter((problem) => problem.severity === severity).length;
  const counts = [Severity.error, Severity.warning].filter((severity) => count(severity) > 0);
  const head = `${counts.map((severity) => counted(count(severity), severity)).join(" and ")} in ${[...new Set(problems.map(({ file }) => file))].join(", ")}`;
  return [`${head}:`, ...problems.map(formatProblem)].join("\n");
}

/** A number of things: `1 key`, `2 keys`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
