import { addDays, type Day } from "../core/days.ts";
import { type Problem, warning } from "../core/problems.ts";
import { compareVersions, parseVersion } from "../core/versions.ts";
import type { Line, Program } from "./releases.ts";

/** Days before the end of a line from which on its users are warned. */
const noticeDays = 60;

/**
 * Whether a version still gets fixes.
 * @param path of the setting that names the version, or would
 * @param tag of the image; one that says too little to know its line, or a line that is newer than the table, is not judged
 * @param today in UTC
 */
export function supportProblems(path: string, program: Program, tag: string | undefined, today: Day): Problem[] {
  if (tag === undefined) return [];
  const line = lineOf(program, tag);
  if (line === "older") return [ended(path, program, tag, undefined, today)];
  if (line?.ends === undefined || today < addDays(line.ends, -noticeDays)) return [];
  if (today > line.ends) return [ended(path, program, line.line, line.ends, today)];
  const message = `${program.title} ${line.line} gets no fixes after ${line.ends}.`;
  return [warning("version-ends", path, message, remedy(program, line.line, today))];
}

function ended(path: string, program: Program, version: string, ends: Day | undefined, today: Day): Problem {
  const since = ends === undefined ? " any more" : ` since ${ends}`;
  const message = `${program.title} ${version} gets no fixes${since}.`;
  return warning("version-ended", path, message, remedy(program, version, today));
}

/** Recommended versions: newer lines whose fixes last longer than the notice. */
function remedy({ lines, source, hint }: Program, from: string, today: Day): string {
  const better = lines
    .filter(({ line }) => (compareVersions(line, from) ?? 0) > 0)
    .filter(({ ends }) => ends === undefined || ends > addDays(today, noticeDays));
  const until = ({ newest, ends }: Line) => (ends === undefined ? newest : `${newest} (fixes until ${ends})`);
  const take =
    better.length > 0 ? `Take ${better.map(until).join(" or ")}.` : `Take a release that ${source} says gets fixes.`;
  return hint === undefined ? take : `${take} ${hint}`;
}

/** The line of a version; undefined where its numbers are too few, or newer than all. */
function lineOf({ lines }: Program, tag: string): Line | "older" | undefined {
  const numbers = parseVersion(tag);
  if (!numbers) return undefined;
  const length = parseVersion(lines[0].line)?.length ?? 1;
  if (numbers.length < length) return undefined;
  const version = numbers.slice(0, length).join(".");
  if ((compareVersions(version, lines[0].line) ?? 0) < 0) return "older";
  return lines.find(({ line }) => compareVersions(line, version) === 0);
}
