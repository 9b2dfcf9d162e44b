import type { Line, Program } from "@hearth-platform/hearth/catalogue/releases";
import { endOf } from "@hearth-platform/hearth/catalogue/support";
import { addDays, type Day } from "@hearth-platform/hearth/core/days";
import { compareVersions } from "@hearth-platform/hearth/core/versions";
import type { LineFacts } from "./facts.ts";

/** A program of the table, deployed or brought by the cluster. */
export type Listed = Omit<Program, "deployed"> & { readonly deployed?: string; readonly judged?: string };

/** A value that takes the place of another one. */
interface Change {
  /** @default there was none */
  readonly from: string | undefined;
  readonly to: string;
}

/** A change of the table. */
export type Edit =
  | ({ readonly what: "newest"; readonly line: string } & Change)
  | ({ readonly what: "ends"; readonly line: string } & Change)
  | ({ readonly what: "deployed" } & Change)
  | ({ readonly what: "read" } & Change)
  | { readonly what: "line"; readonly line: Line };

/** What facts change of a program, and what they leave to a person, as sentences. */
export interface Refresh {
  readonly edits: readonly Edit[];
  readonly decisions: readonly string[];
}

/** Days for which what is deployed should get fixes from now on. */
const leastDays = 30;

/** What is missing of a line that nobody has looked at. */
const unseen = "a look at what it changes";

/**
 * What facts change. Patches are taken; a new line is written down, and not offered to anybody while it has `lacks`: which line is deployed, a
 * person decides.
 * @param first what the first source says, which knows the lines and their days; undefined where it gave no answer
 * @param others what the others say, which know versions alone
 * @param read the day of the facts
 */
export function refresh(
  program: Listed,
  first: readonly LineFacts[] | undefined,
  others: readonly (readonly LineFacts[])[],
  read: Day,
): Refresh {
  const { title, lines, deployed } = program;
  const last = lines.at(-1)?.line ?? "";
  const all = [...(first ?? []), ...others.flat()];
  const edits = lines.flatMap((line) => lineEdits(program, line, all, first));
  const news = (first ?? []).filter(isAfter(last)).filter(({ released = "" }) => released <= read);
  const added = news.flatMap((facts) => newLine(program, facts, all) ?? []);
  const changes: Edit[] = [
    ...edits,
    ...added.map((line) => ({ what: "line" as const, line })),
    ...(deployed === undefined ? [] : deployedEdit(program, deployed, edits)),
  ];
  const after = { ...program, lines: [...lines.map((line) => withEdits(line, edits)), ...added] } as unknown as Listed;
  return {
    edits: changes.length === 0 ? [] : [...changes, { what: "read", from: program.read, to: read }],
    decisions: [
      ...news.map(({ line, newest, released }) =>
        released === undefined
          ? `${title} ${line} is out (${newest}), and its source doesn't say since when. Write it down by hand.`
          : `${title} ${line} is out since ${released} (${newest}). Read what it changes. Then remove its \`lacks\`, so that users are sent there, and decide whether to take it.`,
      ),
      // What the first source leaves out is not for everybody; while it is silent, nobody knows.
      ...(first === undefined && all.some(isAfter(last))
        ? [`${title} has a release after ${last}. The source that knows its days gave no answer.`]
        : []),
      ...pinDecisions(after, edits, read),
    ],
  };
}

const isAfter =
  (last: string) =>
  ({ line }: LineFacts) =>
    (compareVersions(line, last) ?? 0) > 0;

function lineEdits(
  { keeps }: Listed,
  line: Line,
  all: readonly LineFacts[],
  first: readonly LineFacts[] | undefined,
): Edit[] {
  const own = (facts: readonly LineFacts[]) => facts.filter((each) => compareVersions(each.line, line.line) === 0);
  const newest = newestOf(line.newest, own(all));
  // Where a number of lines gets fixes, the days of the next ones say when a line ends.
  const ends = keeps === undefined ? own(first ?? [])[0]?.ends : undefined;
  return [
    ...(newest === line.newest ? [] : [{ what: "newest" as const, line: line.line, from: line.newest, to: newest }]),
    ...(ends === undefined || ends === line.ends || ends <= line.released
      ? []
      : [{ what: "ends" as const, line: line.line, from: line.ends, to: ends }]),
  ];
}

/** The newest of a version and what facts have, in the form that the version has. */
function newestOf(version: string, facts: readonly LineFacts[]): string {
  const numbers = facts.map(({ newest }) => newest.replace(/^v/, ""));
  const newest = numbers.reduce((best, each) => (isNewer(each, best) ? each : best), version.replace(/^v/, ""));
  return version.startsWith("v") ? `v${newest}` : newest;
}

/** Whether a version is after another one; with as many numbers, so that each is told. */
function isNewer(version: string, than: string): boolean {
  return version.split(".").length === than.split(".").length && (compareVersions(version, than) ?? 0) > 0;
}

function newLine(
  { lines, keeps }: Listed,
  { line, newest, released, ends }: LineFacts,
  all: readonly LineFacts[],
): Line | undefined {
  if (released === undefined) return undefined;
  const v = lines.at(-1)?.newest.startsWith("v") ? "v" : "";
  const same = all.filter((each) => compareVersions(each.line, line) === 0);
  return {
    line,
    released,
    ...(ends !== undefined && keeps === undefined && { ends }),
    newest: newestOf(`${v}${newest.replace(/^v/, "")}`, same),
    lacks: unseen,
  };
}

/** What is deployed goes with its line, where it was its newest version; else it is older for a reason. */
function deployedEdit({ lines }: Listed, deployed: string, edits: readonly Edit[]): Edit[] {
  const line = lines.find((each) => compareVersions(each.line, deployed) === 0);
  const raised = edits.find((edit) => edit.what === "newest" && edit.line === line?.line);
  if (!line || raised?.what !== "newest" || raised.from === undefined) return [];
  if (!new RegExp(`^${raised.from.replaceAll(".", "\\.")}(?![\\d.])`).test(deployed)) return [];
  return [{ what: "deployed", from: deployed, to: deployed.replace(raised.from, raised.to) }];
}

function withEdits(line: Line, edits: readonly Edit[]): Line {
  const own = edits.flatMap((edit) =>
    (edit.what === "newest" || edit.what === "ends") && edit.line === line.line ? [[edit.what, edit.to]] : [],
  );
  return { ...line, ...Object.fromEntries(own) };
}

/** What a person has to decide of the version that is deployed, or that judges. */
function pinDecisions(program: Listed, edits: readonly Edit[], read: Day): string[] {
  const { title, lines, deployed, judged } = program;
  const pin = judged ?? deployed ?? "";
  const line = lines.find((each) => compareVersions(each.line, pin) === 0);
  if (!line) return [];
  const use = judged === undefined ? `${title} ${pin} is deployed` : `The tests judge with ${title} ${pin}`;
  const ends = endOf(program, line);
  const isRaised = edits.some((edit) => edit.what === "newest" && edit.line === line.line);
  return [
    ...(judged !== undefined && isRaised
      ? [
          `${use}, and ${line.newest} is out. Raise it in sandbox/programs, or give its reason in test/components/catalogue/releases.test.ts.`,
        ]
      : []),
    ...(ends !== undefined && ends < addDays(read, leastDays)
      ? [
          `${use}, and the last day of fixes of ${line.line} ${ends < read ? "was" : "is"} ${ends}. Choose another line.`,
        ]
      : []),
  ];
}
