import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { clusterPrograms, programs } from "@hearth-platform/hearth/catalogue/releases";
import type { Day } from "@hearth-platform/hearth/core/days";
import { type Ask, keeping, network, recorded } from "./releases/answers.ts";
import { readLines } from "./releases/facts.ts";
import { type Edit, type Listed, type Refresh, refresh } from "./releases/refresh.ts";
import { type ProgramName, sources } from "./releases/sources.ts";
import { editedTable, withVersions } from "./releases/table-text.ts";

/**
 * `npm run releases` brings the table of releases up to what publishers say, and prints as Markdown what it changed, what a person has to
 * decide, and who gave no answer. `--facts FILE` takes the answers from a file instead of the network, `--save FILE` writes such a file. It
 * exits 1 where nobody answered. `npm run generate` comes next.
 */

const root = join(import.meta.dirname, "..");
const table = "components/catalogue/releases.ts";

/** Where versions of the table stand as well. */
const followers = ["components/catalogue/images.ts", "suites/*/config.yaml", "examples/*/index.ts"];

/** What came of a program: changes and decisions, and why sources gave no answer. */
export interface Refreshed extends Refresh {
  readonly name: ProgramName;
  readonly program: Listed;
  readonly silent: readonly string[];
  readonly answered: number;
}

/** Asks the sources of every program, and says what follows. @param read the day of the answers */
export function refreshed(
  listed: Readonly<Partial<Record<ProgramName, Listed>>>,
  ask: Ask,
  read: Day,
): Promise<Refreshed[]> {
  const all = Object.entries(listed).map(async ([key, program]) => {
    const name = key as ProgramName;
    const known = program.lines.at(-1)?.line ?? "";
    const answers = await Promise.all(
      sources[name].map((source) =>
        readLines(source, known, ask).catch((error: Error) => `${source.origin} ${source.name}: ${error.message}`),
      ),
    );
    const [first, ...others] = answers.map((each) => (typeof each === "string" ? undefined : each));
    const heard = others.filter((each) => each !== undefined);
    const silent = answers.filter((each) => typeof each === "string");
    return { name, program, silent, answered: answers.length - silent.length, ...refresh(program, first, heard, read) };
  });
  return Promise.all(all);
}

/** The report, in Markdown: the text of a pull request. */
export function report(all: readonly Refreshed[]): string {
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`### ${title}`, "", ...items.map((item) => `- ${item}`), ""];
  const byHand = all
    .filter(({ name }) => sources[name].length === 0)
    .map(({ program }) => `${program.title}: ${program.source}`);
  return [
    ...section(
      "Changed",
      all.flatMap(({ program, edits }) => edits.flatMap((edit) => told(program, edit))),
    ),
    ...section(
      "For a person to decide",
      all.flatMap(({ decisions }) => decisions),
    ),
    ...section(
      "No answer",
      all.flatMap(({ program, silent }) => silent.map((each) => `${program.title}: ${each}.`)),
    ),
    ...section("Look at by hand", byHand),
  ].join("\n");
}

function told({ title }: Listed, edit: Edit): string[] {
  if (edit.what === "read") return [];
  if (edit.what === "line") return [`${title} ${edit.line.line}: a new line, ${edit.line.newest}`];
  const what = { newest: "the newest version", ends: "the last day of fixes", deployed: "what is deployed" }[edit.what];
  const where = edit.what === "deployed" ? title : `${title} ${edit.line}`;
  return [`${where}: ${what} is ${edit.to}${edit.from === undefined ? "" : `, not ${edit.from}`}`];
}

/** The files that change, with their text. @param textOf text of a file of the checkout */
export function changedFiles(all: readonly Refreshed[], textOf: (file: string) => string): Map<string, string> {
  const edits = all.flatMap((each) => each.edits);
  const texts: [file: string, text: string][] = [
    [table, all.reduce((text, { name, edits }) => editedTable(text, name, edits), textOf(table))],
    ...globSync(followers, { cwd: root }).map((file): [string, string] => [file, withVersions(textOf(file), edits)]),
  ];
  return new Map(texts.filter(([file, text]) => text !== textOf(file)));
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { facts: { type: "string" }, save: { type: "string" } } });
  const { read, ask } = values.facts === undefined ? network(process.env) : recorded(values.facts);
  const { answers, ask: kept } = keeping(ask);
  const all = await refreshed({ ...programs, ...clusterPrograms }, kept, read);
  if (values.save !== undefined) writeFileSync(values.save, `${JSON.stringify({ read, answers }, undefined, 2)}\n`);
  const files = changedFiles(all, (file) => readFileSync(join(root, file), "utf8"));
  for (const [file, text] of files) writeFileSync(join(root, file), text);
  console.log(report(all) || "Nothing to do.");
  if (all.every(({ answered }) => answered === 0)) process.exitCode = 1;
}
