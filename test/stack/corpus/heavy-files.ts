import { edited, good } from "../suite-file.ts";

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** The longest run of a character that fits beside the good file. */
const long = (text: string) => text.repeat(Math.floor(250_000 / text.length));

/** Files within the bounds that cost the most: long values for each rule, and as many keys, problems and aliases as there may be. */
export const heavyFiles: Readonly<Record<string, string>> = {
  "digits before a wrong suffix": edited("200m", `${long("1")}x`),
  "digits of a size": edited("10Gi", `${long("1")}Gi`),
  "labels of a domain": edited("cloud.example.org", `${long("a.")}org`),
  "labels outside ASCII": edited("cloud.example.org", `${long("ü.")}org`.slice(0, 120_000)),
  "labels of an endpoint": edited("fsn1.your", `${long("fsn1.")}your`),
  "dashes of a bucket": edited("data-team-a1b2", `data-${long("-")}`),
  "parts of a tag": edited("31.0.8-apache", `31${long(".0")}`),
  "variants of a tag": edited("31.0.8-apache", `31.0.8${long("-fp")}`),
  "a number": edited("cloudsuite: 1\n", `cloudsuite: ${long("9")}\n`),
  "an unknown key": `${good}${long("k")}`,
  "misspelt keys": lines(1_200, (i) => `namespac${"e".repeat(80)}${i}:`),
  "misspelt keys of a block": edited("storage:\n", `storage:\n${lines(600, (i) => `  dbsize${i}: v`)}\n`),
  "keys doubled": lines(700, () => "a: v"),
  "items that are blocks": `a:\n${lines(600, () => "  - {b: c}")}`,
  "aliases of a list": `a: &a [${"x,".repeat(300)}]\n${lines(31, (i) => `b${i}: *a`)}`,
  "escapes that are none": lines(600, (i) => `"a\\q${i}": v`),
  "escapes in a text": `a: "${long("\\x41")}"`,
  "empty lines": long("\n"),
  "empty lines in a text": `a: "${long("\n \n")}"`,
  "lines of a literal text": `a: |\n${long(" x\n")}`,
  "lines of a folded text": `a: >\n${long(" x\n")}`,
  "lines of a plain text": `a: x\n${long(" x\n")}`,
  comments: lines(1_600, () => `# ${"x".repeat(150)}`),
};
