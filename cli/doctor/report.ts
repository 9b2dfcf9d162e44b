import { styleText } from "node:util";
import { type Finding, isWrong, Status } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";

const columns = 100;
const width = { status: 9, subject: 31 };
const indent = width.status + width.subject;

/** Colour of a status on a terminal. */
export function findingColor(status: Status) {
  return colors[status];
}

const colors = {
  [Status.ok]: "green",
  [Status.unknown]: "dim",
  [Status.warning]: "yellow",
  [Status.problem]: "red",
  [Status.missing]: "red",
  [Status.taken]: "red",
  [Status.unsafe]: "red",
} as const;

/** The findings for people: a row each, what to do below it, and a sentence at the end. At most 100 columns. */
export function doctorReport(stack: string, found: readonly Finding[]): string {
  const wrong = found.filter(isWrong).length;
  const count = (status: Status) => found.filter((each) => each.status === status).length;
  const rest = [
    ...(count(Status.warning) > 0 ? [`${count(Status.warning)} warnings`] : []),
    ...(count(Status.unknown) > 0 ? [`${count(Status.unknown)} that can't be seen from here`] : []),
  ];
  const verdict =
    wrong === 0
      ? `The cluster is ready for stack ${stack}`
      : `The cluster is not ready for stack ${stack}: ${counted(wrong, "problem")}`;
  return `${found.map(findingRow).join("")}\n${[verdict, ...rest].join("; ")}.\n`;
}

/** A finding in lines of at most 100 columns, what to do below it. */
export function findingRow({ status, subject, message, remedy }: Finding): string {
  const word = styleText(colors[status], status.padEnd(width.status), { stream: process.stdout });
  const lines = [...wrapped(message), ...(remedy === "" ? [] : wrapped(`→ ${remedy}`))];
  const name = subject.padEnd(width.subject);
  // A long name has a line of its own.
  const first = subject.length < width.subject ? `${name}${lines.shift()}` : subject;
  return [`${word}${first}`, ...lines.map((line) => `${" ".repeat(indent)}${line}`)]
    .map((line) => `${line}\n`)
    .join("");
}

/** A text in lines that fit; a word that does not is cut. */
function wrapped(text: string): string[] {
  const room = columns - indent;
  const words = text.split(/\s+/).flatMap((word) => word.match(new RegExp(`.{1,${room}}`, "gu")) ?? []);
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
