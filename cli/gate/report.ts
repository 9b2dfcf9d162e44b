import { counted } from "@hearth-platform/stack/settings/report";
import Table from "cli-table3";
import { editText } from "./edits.ts";
import { type Operation, operations, type PlannedChange, type PreviewOutcome, type Remark } from "./outcome.ts";

/** Whether a change may be made: no violation, no error, and every policy came to a verdict unless that is allowed. */
export function passes({ violations, errors, skipped }: PreviewOutcome, allowSkipped: boolean): boolean {
  return violations.length === 0 && errors.length === 0 && (allowSkipped || skipped.length === 0);
}

/** The outcome in a sentence, e.g. `2 violations, 1 piece of advice, 0 of 812 evaluations skipped`. */
export function headline({ violations, advice, skipped, evaluations, errors }: PreviewOutcome): string {
  return [
    ...(errors.length > 0 ? [counted(errors.length, "error")] : []),
    counted(violations.length, "violation"),
    ...(advice.length > 0 ? [counted(advice.length, "piece of advice", "pieces of advice")] : []),
    `${skipped.length} of ${counted(evaluations, "evaluation")} skipped`,
  ].join(", ");
}

/** e.g. `3 to create, 1 to replace, 106 unchanged`. */
export function changeCounts({ changes, unchanged }: PreviewOutcome): string {
  const counts = operations
    .map((operation) => [operation, changes.filter((each) => each.operation === operation).length] as const)
    .filter(([, count]) => count > 0)
    .map(([operation, count]) => `${count} to ${operation}`);
  return [...counts, `${unchanged} unchanged`].join(", ");
}

/** How often what is done to each kind of resource, in the order of the kinds' names. */
export function changesByKind(changes: readonly PlannedChange[]): { operations: Operation[]; rows: string[][] } {
  const used = operations.filter((operation) => changes.some((each) => each.operation === operation));
  const kinds = [...new Set(changes.map(({ kind }) => kind))].sort();
  const count = (kind: string, operation: Operation) =>
    changes.filter((each) => each.kind === kind && each.operation === operation).length;
  return {
    operations: used,
    rows: kinds.map((kind) => [kind, ...used.map((operation) => String(count(kind, operation) || ""))]),
  };
}

/** Changes of what is there already, which want to be read one by one. */
export function changesOfExisting(changes: readonly PlannedChange[]): PlannedChange[] {
  return changes.filter(({ operation }) => operation !== "create");
}

/** The report for a terminal or a log. */
export function gateReport(stack: string, outcome: PreviewOutcome, passed: boolean): string {
  const { changes, errors, violations, skipped, advice } = outcome;
  return [
    `Stack ${stack} ${passed ? "passes" : "does not pass"} the gate: ${headline(outcome)}.`,
    ...(errors.length > 0 ? [["Errors:", ...errors.map((each) => indented(each))].join("\n")] : []),
    ...remarks("Violations:", violations),
    ...remarks("Skipped, because a value is only known after the update:", skipped),
    ...remarks("Advice:", advice),
    `Changes: ${changeCounts(outcome)}.`,
    ...(changes.length > 0 ? [kindTable(changes)] : []),
    changesOfExisting(changes).map(changeLine).join("\n"),
  ]
    .filter((part) => part !== "")
    .map((part) => `${part}\n`)
    .join("\n");
}

function remarks(title: string, found: readonly Remark[]): string[] {
  if (found.length === 0) return [];
  const entries = found.map(({ policy, severity, resource, path, place, message, remedy }) =>
    [
      `  ${policy}${severity ? ` (${severity})` : ""}: ${[resource || "the stack", path, place].filter(Boolean).join(", ")}`,
      ...[message, remedy].filter(Boolean).map((line) => indented(line, 4)),
    ].join("\n"),
  );
  return [[title, ...entries].join("\n")];
}

function kindTable(changes: readonly PlannedChange[]): string {
  const { operations: head, rows } = changesByKind(changes);
  const table = new Table({ head: ["Kind", ...head], style: { head: [], border: [], compact: true } });
  table.push(...rows);
  return table.toString();
}

function changeLine({ operation, kind, name, edits }: PlannedChange): string {
  const told = edits.map((edit) => editText(edit)).join(", ");
  return `  ${operation} ${kind} ${name}${told === "" ? "" : `: ${told}`}`;
}

function indented(text: string, by = 2): string {
  return text.replace(/^/gm, " ".repeat(by));
}
