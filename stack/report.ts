import { Severity } from "@hearth-platform/hearth/core/faults";
import type { LocatedFault } from "./located.ts";

/** One fault on two lines, the first in the form editors and terminals make a link of: `file:line:column`. */
export function formatFault(fault: LocatedFault): string {
  const place = [fault.file, fault.line, fault.column].filter((part) => part !== undefined).join(":");
  const subject = fault.path === "" ? "" : `${fault.path}: `;
  return `${place}: ${fault.severity}: ${subject}${fault.message} [${fault.code}]\n    ${fault.remedy}`;
}

/** Every fault, errors and warnings in the order of files and lines, below a count. */
export function formatReport(faults: readonly LocatedFault[]): string {
  const count = (severity: Severity) => faults.filter((fault) => fault.severity === severity).length;
  const counts = [plural(count(Severity.error), "error"), plural(count(Severity.warning), "warning")];
  const head = `${counts.filter((text) => text !== "").join(" and ")} in ${[...new Set(faults.map(({ file }) => file))].join(", ")}`;
  return [`${head}:`, ...faults.map(formatFault)].join("\n");
}

function plural(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}
