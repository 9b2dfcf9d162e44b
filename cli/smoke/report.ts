import { styleText } from "node:util";
import { isWrong, Status } from "@hearth-platform/stack/live/preflight/finding";
import { findingColor } from "../doctor/report.ts";
import { momentText } from "../status/row.ts";
import type { SmokeRow } from "./judgement.ts";
import type { SmokeReport } from "./run.ts";

const width = { status: 9, subject: 44 };

/** The answers as a table: a part for each host, a row for each question, and a sentence at the end. */
export function smokeTable({ stack, at, rows }: SmokeReport): string {
  const hosts = [...Map.groupBy(rows, ({ host }) => host)];
  const parts = hosts.map(([host, own]) => `${host}\n${own.map(rowText).join("")}`);
  const count = (status: Status) => rows.filter((each) => each.status === status).length;
  const wrong = rows.filter(isWrong).length;
  const verdict =
    wrong === 0
      ? `Stack ${stack} answers as it should: ${rows.length} questions to ${hosts.length} hosts`
      : `Stack ${stack} does not answer as it should: ${wrong} of ${rows.length} questions`;
  const rest = [
    ...(count(Status.warning) > 0 ? [`${count(Status.warning)} with a warning`] : []),
    ...(count(Status.unknown) > 0 ? [`${count(Status.unknown)} not asked`] : []),
  ];
  return `${[...parts, `${[verdict, ...rest].join("; ")} (${momentText(at)}).`].join("\n")}\n`;
}

function rowText({ status, subject, message, remedy }: SmokeRow): string {
  const word = styleText(findingColor(status), status.padEnd(width.status), { stream: process.stdout });
  const advice = remedy === "" ? "" : `${" ".repeat(width.status)}→ ${remedy}\n`;
  return `${word}${subject.padEnd(width.subject)} ${message}\n${advice}`;
}
