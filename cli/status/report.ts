import { isWrong, Status } from "@hearth-platform/stack/live/preflight/finding";
import { counted } from "@hearth-platform/stack/settings/report";
import { findingRow } from "../doctor/report.ts";
import type { StatusReport } from "./checks.ts";
import { momentText } from "./row.ts";

/** A live stack on one screen: a row each, what to do below it, and a sentence at the end. At most 100 columns. */
export function statusScreen(report: StatusReport): string {
  const { stack, server, at, checks } = report;
  const head = `Stack ${stack} at ${server}, ${momentText(at)}`;
  return `${head}\n\n${checks.map(findingRow).join("")}\n${verdictOf(report)}.\n`;
}

/** All findings in a sentence, without its full stop. */
export function verdictOf({ stack, checks }: StatusReport): string {
  const count = (status: Status) => checks.filter((each) => each.status === status).length;
  const wrong = checks.filter(isWrong).length;
  const verdict = wrong === 0 ? `Stack ${stack} is sound` : `Stack ${stack} is not sound: ${counted(wrong, "problem")}`;
  const rest = [
    ...(count(Status.warning) > 0 ? [counted(count(Status.warning), "warning")] : []),
    ...(count(Status.unknown) > 0 ? [`${count(Status.unknown)} that can't be seen from here`] : []),
  ];
  return [verdict, ...rest].join("; ");
}
