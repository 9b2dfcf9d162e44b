import { addDays, type Day, daysBetween } from "../core/days.ts";
import { type Problem, warning } from "../core/problems.ts";
import { compareVersions, parseVersion } from "../core/versions.ts";
import type { Line, Program } from "./releases.ts";

/** A program as far as its support goes: deployed, or brought by the cluster. */
export type Supported = Omit<Program, "deployed">;

/** Most days before the end of a line from which on its users are warned: a short line is warned of in its last third. */
const mostNotice = 60;

/**
 * Whether a version still gets fixes.
 * @param path of the setting that names the version, or would
 * @param tag of the image; one that says too little to know its line, or a line that is newer than the table, is not judged
 * @param today in UTC
 */
export function supportProblems(path: string, program: Supported, tag: string | undefined, today: Day): Problem[] {
  if (tag === undefined) return [];
  const line = lineOf(program, tag);
  if (line === "older") return [ended(path, program, tag, undefined, today)];
  const ends = line && endOf(program, line);
  if (line === undefined || ends === undefined) return [];
  if (today > ends) return [ended(path, program, line.line, ends, today)];
  // A warning that can name nothing better helps nobody before the end.
  if (today < addDays(ends, -noticeOf(line, ends)) || betterLines(program, line.line, today).length === 0) return [];
  const message = `${program.title} ${line.line} gets no fixes after ${ends}.`;
  return [warning("version-ends", path, message, remedy(program, line.line, today))];
}

/** Last day of fixes of a line; undefined where none is announced, or while too few are newer. */
export function endOf({ lines, keeps }: Pick<Program, "lines" | "keeps">, line: Line): Day | undefined {
  if (line.ends !== undefined || keeps === undefined) return line.ends;
  return lines[lines.findIndex((each) => each.line === line.line) + keeps]?.released;
}

/** Last day of fixes of a version; undefined where its line is not known, or has no end yet. */
export function endOfVersion(program: Supported, tag: string): Day | undefined {
  const line = lineOf(program, tag);
  return line === undefined || line === "older" ? undefined : endOf(program, line);
}

/** Days before its end from which on the users of a line are warned. */
function noticeOf({ released }: Line, ends: Day): number {
  return Math.min(mostNotice, Math.round(daysBetween(released, ends) / 3));
}

function ended(path: string, program: Supported, version: string, ends: Day | undefined, today: Day): Problem {
  const state = ends === undefined ? "gets no more fixes" : `has had no fixes since ${ends}`;
  const message = `${program.title} ${version} ${state}.`;
  return warning("version-ended", path, message, remedy(program, version, today));
}

/** Newer lines whose fixes last longer than their notice. */
function betterLines(program: Supported, from: string, today: Day): Line[] {
  return newerLines(program, from).filter((line) => {
    const ends = endOf(program, line);
    return ends === undefined || ends > addDays(today, noticeOf(line, ends));
  });
}

/** Newer lines of which nothing is missing here. */
function newerLines({ lines }: Supported, from: string): Line[] {
  return lines.filter(({ line, lacks }) => lacks === undefined && (compareVersions(line, from) ?? 0) > 0);
}

function getsFixes(program: Supported, line: Line, today: Day): boolean {
  const ends = endOf(program, line);
  return ends === undefined || today <= ends;
}

/** Recommended versions. */
function remedy(program: Supported, from: string, today: Day): string {
  const { source, hint } = program;
  const lasting = betterLines(program, from, today);
  const better =
    lasting.length > 0 ? lasting : newerLines(program, from).filter((line) => getsFixes(program, line, today));
  const until = (line: Line) => {
    const ends = endOf(program, line);
    return ends === undefined ? line.newest : `${line.newest} (fixes until ${ends})`;
  };
  const take =
    better.length > 0 ? `Take ${better.map(until).join(" or ")}.` : `Take a release that ${source} says gets fixes.`;
  return hint === undefined ? take : `${take} ${hint}`;
}

/** The line of a version; undefined where its numbers are too few, or newer than all. */
function lineOf({ lines }: Supported, tag: string): Line | "older" | undefined {
  const numbers = parseVersion(tag);
  if (!numbers) return undefined;
  const length = parseVersion(lines[0].line)?.length ?? 1;
  if (numbers.length < length) return undefined;
  const version = numbers.slice(0, length).join(".");
  if ((compareVersions(version, lines[0].line) ?? 0) < 0) return "older";
  return lines.find(({ line }) => compareVersions(line, version) === 0);
}
