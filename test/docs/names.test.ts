import { globSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { person } from "@hearth-platform/cli/command";
import { commandNames, loadCommand } from "@hearth-platform/cli/hearth";
import { listPolicies } from "@hearth-platform/cli/policies/list";
import { describe, expect, test } from "vitest";
import { allAlerts } from "../../tools/alerts.ts";
import { pages, withoutCode } from "../support/pages.ts";

/** What the pages name in their prose is there: commands with their options, policies, alerts, files and folders. */

const root = join(import.meta.dirname, "../..");

/** A code span of a page. */
interface Span {
  readonly file: string;
  readonly text: string;
}

// The history names things as they were called.
const texts = pages().filter(({ file }) => file !== "CHANGELOG.md");
const spans: readonly Span[] = texts.flatMap(({ file, text }) =>
  [...withoutCode(text).matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map(([, span = ""]) => ({
    file,
    text: span.replaceAll("\\|", "|").replaceAll(/\s+/g, " "),
  })),
);

/** Spans that match and are faulty, as `file: span`; the expression has to match at least this often. */
function faulty(
  expression: RegExp,
  least: number,
  isThere: (match: RegExpMatchArray, file: string) => boolean,
): string[] {
  const named = spans.flatMap(({ file, text }) => {
    const match = expression.exec(text);
    return match ? [{ file, text, match }] : [];
  });
  expect(named.length).toBeGreaterThanOrEqual(least);
  return named.filter(({ match, file }) => !isThere(match, file)).map(({ file, text }) => `${file}: ${text}`);
}

const hearth = (await loadCommand(commandNames))({ ...person, end: () => undefined });

/** What is wrong with the words after `./hearth`, or undefined. */
function fault(words: readonly string[]): string | undefined {
  let command = hearth;
  for (const word of words) {
    // What follows is another program's.
    if (["kubectl", "pulumi", "logs"].includes(command.name()) && command.parent?.name() === "sandbox")
      return undefined;
    const name = word.replace(/[=,]?$/, "").replace(/=.*/, "");
    if (/^--?[a-z]/.test(word)) {
      const known = [...command.options, ...hearth.options].flatMap(({ short, long }) => [short, long]);
      if (![...known, "--help", "-h"].includes(name)) return `${command.name()} has no option ${name}`;
      continue;
    }
    const below = command.commands.find((each) => each.name() === word);
    if (below) command = below;
    else if (
      command.commands.length > 0 &&
      command.registeredArguments.length === 0 &&
      /^[a-z]/.test(word) &&
      word !== "help"
    )
      return `there is no command ${word}`;
  }
  return undefined;
}

describe("what the pages name is there:", () => {
  test("commands and their options", () => {
    const found = faulty(/^(?:npx )?(?:\S*\/)?hearth ([a-z].*)$/, 130, ([, words = ""]) => !fault(words.split(" ")));
    expect(found).toEqual([]);
  });

  test("policies", () => {
    const ids = listPolicies().map(({ id }) => id);
    const areas = [...new Set(ids.map((id) => id.split("-")[0]))].join("|");
    expect(faulty(new RegExp(`^(?:${areas})-[a-z-]+$`), 20, ([id]) => ids.includes(id))).toEqual([]);
  });

  test("alerts", async () => {
    const names: string[] = [...(await allAlerts()).values()].flat().map(({ name }) => name);
    const named = texts.flatMap(({ file, text }) =>
      [...withoutCode(text).matchAll(/\bHearth[A-Z]\w+/g)].map(([name]) => ({ file, name })),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ name }) => !names.includes(name))).toEqual([]);
  });

  test("files and folders", () => {
    // Suites are the reader's, and what is built goes to dist.
    const folders = readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^\.|^(?:node_modules|suites)$/.test(entry.name))
      .map(({ name }) => name);
    const path = new RegExp(`^(?!.*/dist(?:/|$))(?:${folders.join("|")})/(?![A-Z]\\w*$)[\\w./*-]*$`);
    const isThere = ([name]: RegExpMatchArray, file: string) =>
      // NAME stands for any.
      [root, join(root, dirname(file))].some(
        (cwd) => globSync(name.replaceAll(/\b[A-Z]+\b/g, "*"), { cwd }).length > 0,
      );
    expect(faulty(path, 100, isThere)).toEqual([]);
  });
});
