import { describe, expect, test } from "vitest";
import { pages, withoutCode } from "../support/pages.ts";

/** How the pages read: what a machine can find of it. */

/** Pages of those who work on hearth; the others are for its users. */
const forContributors = /^(bench|sandbox|test|CONTRIBUTING\.md)/;

/** Prose of a page with the line each piece stands on: no code, no code spans, links by their text. */
function proseLines(text: string): { readonly line: number; readonly prose: string }[] {
  return withoutCode(text)
    .split("\n")
    .map((prose, index) => ({
      line: index + 1,
      prose: prose.replaceAll(/`[^`]*`/g, "X").replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1"),
    }));
}

/** Places where the expression matches, as `file:line: words`. */
const found = (file: string, text: string, expression: RegExp) =>
  proseLines(text).flatMap(({ line, prose }) =>
    [...prose.matchAll(expression)].map(([words]) => `${file}:${line}: ${words}`),
  );

/** Words that say little or tell the reader how easy it is. */
const weasel = /\b(?:very|obviously|clearly|easily|simply|quite|of course|basically|actually)\b/gi;

/** A word twice in a row; "X" stands for code. */
const repeated = /\b(?!X\b)([A-Za-z]+) \1\b/g;

/** Figures of our own benchmarks and their goals belong in bench/README.md. */
const benchWords = /\b(?:missed by \w+|the bar|bars? (?:is|are|was|were) missed|\d+, missed)\b/gi;

/** Turns of phrase that readers stumbled on. */
const riddles = /\bone unlock\b|\btold which there are\b|\banother time once\b|\bwhat may be lost, as\b/gi;

/** Words that want the other article; `a user`, `an hour` and letters said one by one are left out. */
const article = /\b(?:a [aio][a-z]+|a e(?!u)[a-z]+|an (?!hour|honest|heir)[bcdfgjkpqtvwyz][a-z]+)\b/g;

/** A longer sentence is read twice. */
const longestSentence = 40;

/** Mean of the words a sentence on a users' page of at least ten sentences. */
const meanSentence = 20;

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

/** Sentences of a page: no tables, no headings; a list of code spans counts as one word. */
function sentences(text: string): string[] {
  const lines = proseLines(text.replaceAll(/<!--[\s\S]*?-->/g, "")).map(({ prose }) => prose);
  const paragraphs = lines
    .filter((line) => !/^\s*(?:\||#)/.test(line))
    .join("\n")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
  return paragraphs.flatMap((paragraph) => {
    const flat = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\bX(?:, X)+\b/g, "X");
    return [...segmenter.segment(flat.trim())].map(({ segment }) => segment.trim());
  });
}

const words = (sentence: string) => [...sentence.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)].length;

/** Sentences that are too long, with their words. */
const tooLong = (text: string) =>
  sentences(text)
    .filter((sentence) => words(sentence) > longestSentence)
    .map((sentence) => `${words(sentence)} words: ${sentence}`);

describe.each(pages())("$file", ({ file, text }) => {
  test("has the article that the next word wants", () => expect(found(file, text, article)).toEqual([]));
  test(`has sentences of at most ${longestSentence} words`, () => expect(tooLong(text)).toEqual([]));
  if (!forContributors.test(file))
    test(`has sentences of at most ${meanSentence} words in the mean`, () => {
      const counts = sentences(text)
        .map(words)
        .filter((count) => count > 2);
      const mean = counts.reduce((sum, count) => sum + count, 0) / Math.max(counts.length, 1);
      expect(counts.length < 10 ? 0 : mean).toBeLessThanOrEqual(meanSentence);
    });
});

describe.each(pages())("$file", ({ file, text }) => {
  test("repeats no word", () => expect(found(file, text, repeated)).toEqual([]));
  test("has no words that say nothing", () => expect(found(file, text, weasel)).toEqual([]));
  test("has no riddle that was taken out before", () => expect(found(file, text, riddles)).toEqual([]));
  if (!forContributors.test(file))
    test("leaves benchmarks to bench/README.md", () => expect(found(file, text, benchWords)).toEqual([]));
});

test("the rules find what they are for", () => {
  const bad = "It is is very slow: 0.49, missed.\n\nThe one unlock of a image.";
  const finds = [repeated, weasel, benchWords, riddles, article].map((rule) => found("a.md", bad, rule));
  expect(finds).toEqual([
    ["a.md:1: is is"],
    ["a.md:1: very"],
    ["a.md:1: 49, missed"],
    ["a.md:3: one unlock"],
    ["a.md:3: a image"],
  ]);
  const long = `${"word ".repeat(longestSentence)}again.`;
  expect(tooLong(`# A heading\n\n${long} Short.\n\n| ${long} |`)).toEqual([`41 words: ${long}`]);
});
