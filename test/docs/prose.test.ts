import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRetext from "remark-retext";
import retextContractions from "retext-contractions";
import retextEnglish from "retext-english";
import retextIndefiniteArticle from "retext-indefinite-article";
import retextReadability from "retext-readability";
import retextRedundantAcronyms from "retext-redundant-acronyms";
import retextRepeatedWords from "retext-repeated-words";
import retextSimplify from "retext-simplify";
import { unified } from "unified";
import { VFile } from "vfile";
import { describe, expect, test } from "vitest";
import { pages, withoutCode } from "../support/pages.ts";

/** How the pages read, as far as a machine can tell: the rules of retext, and a few of our own. */

/** Pages of those who work on hearth; the others are for its users. */
const forContributors = /^(bench|sandbox|test|CONTRIBUTING\.md)/;

/**
 * Words that retext-simplify would replace, each with the reason why we keep it. The rule stays on for its other 300, such as
 * `however`, `in order to` and `utilise`.
 */
const plainHere: Readonly<Record<string, string>> = {
  address: "of a host or a client",
  component: "Pulumi's word",
  delete: "kubectl's and Pulumi's word; a Kubernetes object is not dropped",
  effect: "of a taint, and of a setting",
  evaluate: "policies are evaluated",
  function: "of a program",
  interface: "of TypeScript",
  monitor: "PodMonitor",
  operate: "the operators' verb",
  option: "of a command",
  parameters: "of PostgreSQL",
  "point in time": "the database's term for its recovery",
  render: "the command's name",
  request: "of HTTP, and of a container's resources",
  "relative to": "of a path",
  require: "policies require",
  requirement: "of a proxy",
  therefore: "links two sentences; `so` would begin one",
  type: "of a value or a Secret",
  validate: "the command's name",
  "e.g.": "short in tables",
  "it is": "starts a plain sentence",
  "there are": "starts a plain sentence",
  "there is": "starts a plain sentence",
};

/** Years of schooling after which a reader follows each sentence, by five of seven formulas. Names of objects count as long words. */
const readingAge = 18;

const retext = unified()
  .use(retextEnglish)
  .use(retextIndefiniteArticle)
  .use(retextRepeatedWords)
  .use(retextContractions, { straight: true })
  .use(retextRedundantAcronyms)
  .use(retextSimplify, { ignore: Object.keys(plainHere) })
  .use(retextReadability, { age: readingAge, threshold: 5 / 7, minWords: 12 });
// remark-retext takes a processor before its plugins were added, by its types alone.
const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRetext, retext as never);

/** What retext says of a page, as `file:line: reason`. */
async function advice(file: string, text: string): Promise<string[]> {
  const page = new VFile({ path: file, value: text });
  await markdown.run(markdown.parse(page), page);
  return page.messages.map(({ line, reason, source }) => `${file}:${line}: ${reason} (${source})`);
}

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

/** Figures of our own benchmarks and their goals belong in bench/README.md. */
const benchWords = /\b(?:missed by \w+|the bar|bars? (?:is|are|was|were) missed|\d+, missed)\b/gi;

/** Turns of phrase that readers stumbled on. */
const riddles =
  /\bone unlock\b|\btold which there are\b|\banother time once\b|\bwhat may be lost, as\b|\bas it comes\b(?! up)|\bwhat else\b|\bto be had\b|\bof then\b|\bways? in\b|\ball else\b|\bnever wrong\b|\bby the Gateway API\b/gi;

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
  test("has no advice of retext", async () => expect(await advice(file, text)).toEqual([]));
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
  test("has no words that say nothing", () => expect(found(file, text, weasel)).toEqual([]));
  test("has no riddle that was taken out before", () => expect(found(file, text, riddles)).toEqual([]));
  if (!forContributors.test(file))
    test("leaves benchmarks to bench/README.md", () => expect(found(file, text, benchWords)).toEqual([]));
});

test("the rules find what they are for", async () => {
  const bad = "It is is very slow: 0.49, missed.\n\nThe one unlock of a image, in order to utilise it.";
  expect([weasel, benchWords, riddles].map((rule) => found("a.md", bad, rule))).toEqual([
    ["a.md:1: very"],
    ["a.md:1: 49, missed"],
    ["a.md:3: one unlock"],
  ]);
  const rules = (await advice("a.md", bad)).map((line) => line.replace(/.*\(|\)$/g, ""));
  expect([...new Set(rules)].sort()).toEqual(["retext-indefinite-article", "retext-repeated-words", "retext-simplify"]);
  const long = `${"word ".repeat(longestSentence)}again.`;
  expect(tooLong(`# A heading\n\n${long} Short.\n\n| ${long} |`)).toEqual([`41 words: ${long}`]);
});
