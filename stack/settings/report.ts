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
  const counts = [plural(count(Severity.error), "error"), plural(count(Severity.warning), "warning")];
  const head = `${counts.filter((text) => text !== "").join(" and ")} in ${[...new Set(problems.map(({ file }) => file))].join(", ")}`;
  return [`${head}:`, ...problems.map(formatProblem)].join("\n");
}

function plural(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}
