import { editText } from "./edits.ts";
import type { PreviewOutcome, Remark } from "./outcome.ts";
import { changeCounts, changesByKind, changesOfExisting, headline } from "./report.ts";

/** Rows of a table at most, so that the summary fits into a comment: GitHub's has 65,536 characters. */
const mostRows = 60;

/** Most characters of a message, which may hold what a program printed. */
const mostCharacters = 400;

/** The outcome as GitHub's and GitLab's Markdown, for a comment on a pull request. */
export function markdownSummary(stack: string, outcome: PreviewOutcome, passed: boolean): string {
  const { changes, errors, violations, skipped, advice } = outcome;
  const existing = changesOfExisting(changes).map(({ operation, kind, name, edits, places }) => [
    operation,
    `${code(kind)} ${code(name)}`,
    edits.map((edit) => editText(edit, code)).join("<br>"),
    places.map(code).join("<br>"),
  ]);
  const { operations: used, rows } = changesByKind(changes);
  return [
    `### ${passed ? "✅" : "❌"} Stack ${code(stack)}`,
    `${headline(outcome)}.`,
    ...(errors.length > 0 ? [errors.map((each) => `- ${text(each)}`).join("\n")] : []),
    ...remarks("Violations", violations),
    ...remarks("Skipped: a value is only known after the update", skipped),
    ...remarks("Advice", advice),
    ...(existing.length > 0
      ? ["#### Changes of existing resources", table(["Change", "Resource", "Values", "Written in"], existing)]
      : []),
    details(
      `Changes: ${changeCounts(outcome)}`,
      changes.length > 0
        ? table(
            ["Kind", ...used],
            rows.map(([kind = "", ...counts]) => [code(kind), ...counts]),
          )
        : "",
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

function remarks(title: string, found: readonly Remark[]): string[] {
  if (found.length === 0) return [];
  const rows = found.map(({ policy, severity, resource, path, place, message, remedy }) => [
    `${code(policy)}${severity ? ` (${severity})` : ""}`,
    [resource || "the stack", path].filter(Boolean).map(code).join(" "),
    place === undefined ? "" : code(place),
    text(message),
    text(remedy),
  ]);
  return [`#### ${title}`, table(["Policy", "Where", "Written in", "What is wrong", "What to do"], rows)];
}

/** Without the columns that hold nothing. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, column) => rows.some((row) => row[column]));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, column) => used[column]).join(" | ")} |`;
  const left = rows.length - mostRows;
  return [
    line(head),
    line(head.map(() => "---")),
    ...rows.slice(0, mostRows).map(line),
    ...(left > 0 ? ["", `and ${left} more: see the log.`] : []),
  ].join("\n");
}

function details(title: string, content: string): string {
  return content === "" ? `${title}.` : `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/** A name as code; one that could end the code or the cell is written without what does. */
function code(name: string): string {
  return `\`${name.replace(/[`\n]/g, " ").replaceAll("|", "\\|")}\``;
}

/** Text that neither ends a cell nor mentions a person nor becomes HTML. */
function text(content: string): string {
  const short = content.length > mostCharacters ? `${content.slice(0, mostCharacters)} …` : content;
  return short.replace(/[&<>|@`*_[\]]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/\s*\n\s*/g, "<br>");
}
