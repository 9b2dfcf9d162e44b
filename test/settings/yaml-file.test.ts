import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readYaml } from "../../settings/yaml-file.ts";
import { check, edited, faultsOf, good } from "./suite-file.ts";

describe("YAML that is refused before it means anything", () => {
  const bomb = [
    "a0: &a0 [x, x, x]",
    ...Array.from({ length: 8 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`)}]`),
  ];
  it.each<[string, string | Uint8Array, string]>([
    ["nothing", "", "yaml-empty :1"],
    ["null", "~\n", "yaml-empty :1"],
    ["a list", "- a\n", "type :1"],
    ["a word", "hello\n", "type :1"],
    ["a tab as indent", "a:\n\tb: 1\n", "yaml-syntax :2"],
    ["an open quote", `${good}x: "open\n`, "yaml-syntax :45"],
    ["a doubled key", `${good}namespace: other\n`, "yaml-duplicate namespace:44"],
    [
      "a doubled key in a block",
      edited("  region: fsn1\n", "  region: fsn1\n  region: nbg1\n"),
      "yaml-duplicate s3.region:12",
    ],
    ["two documents", `${good}---\na: 1\n`, "yaml-syntax :44"],
    ["a directive", `%YAML 1.1\n---\n${good}`, "yaml-directive :1"],
    ["a tag", edited("namespace: team", "namespace: !!js/function team"), "yaml-tag :1"],
    ["a merge key", `${good}<<: { a: 1 }\n`, 'yaml-merge ["<<"]:44'],
    ["a key that is a number", `${good}1: x\n`, "yaml-key :44"],
    ["an explicit key", `${good}? a\n: b\n`, "yaml-key :44"],
    ["an alias without anchor", edited("namespace: team", "namespace: *other"), "yaml-alias namespace:1"],
    ["an alias to itself", "a: &a [*a]\n", "yaml-alias a[0]:1"],
    ["an alias bomb", bomb.join("\n"), "yaml-alias :5"],
    ["a small alias bomb", bomb.slice(0, 4).join("\n"), "yaml-alias :1"],
    ["UTF-16", Buffer.from(`\ufeff${good}`, "utf16le"), "yaml-encoding :1"],
    ["Latin-1", Buffer.from("a: ü\n", "latin1"), "yaml-encoding :1"],
    ["a null byte", edited("namespace: team", "namespace: te\0am"), "yaml-character :1"],
    ["reversed text", `${good}# \u202e\n`, "yaml-character :44"],
    ["300 KB", `# ${"x".repeat(300_000)}\n`, "yaml-size :1"],
    ["a flood of keys", Array.from({ length: 20_000 }, (_, i) => `k${i}:`).join("\n"), "yaml-size :2500"],
    ["100 open brackets", "a: ".concat("[".repeat(100)), "yaml-depth :1"],
    ["130,000 open brackets", "[".repeat(130_000), "yaml-depth :1"],
    ["130,000 dashes", "- ".repeat(130_000), "yaml-depth :1"],
    ["130,000 question marks", "? ".repeat(130_000), "yaml-key :1"],
    ["a staircase of blocks", Array.from({ length: 500 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), "yaml-depth :32"],
  ])("%s", (_, text, fault) => {
    expect(faultsOf(text)[0]).toBe(fault);
  });
});

describe("YAML that is as good as any", () => {
  it.each([
    ["carriage returns", good.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${good}`],
    ["comments in any language", `# Überschrift 団体 👩‍🚀\n${good}`],
    ["the line of editors", `# yaml-language-server: $schema=../../schemas/config.schema.json\n${good}`],
    ["document markers", `---\n${good}...\n`],
    ["flow style", edited(/replicas:\n( {2}.*\n){3}/, "replicas: { cloudsuite: 1, db: 1, keystore: 1 }\n")],
    [
      "anchors",
      edited(
        "{ cpu: 200m, memory: 512Mi }",
        "&small { cpu: 200m, memory: 512Mi }",
        edited("{ cpu: 50m, memory: 128Mi }", "*small").replace("cpu: 200m, memory: 256Mi", "cpu: 200m, memory: 1Gi"),
      ),
    ],
    ["quotes everywhere", edited("namespace: team", "'namespace': \"team\"")],
    ["an explicit text tag", edited('"16"', "!!str 16")],
    ["a folded text", edited("namespace: team", "namespace: >-\n  team")],
  ])("%s", (_, text) => {
    expect(check(text).faults).toEqual([]);
  });
});

describe("a place in a file", () => {
  const { yaml } = readYaml("f.yaml", Buffer.from("a: &x\n  b: 1\nlist:\n  - c: 1.10\nd: *x\ne:\n"));
  it.each([
    ["a value", ["a", "b"], 2, 6],
    ["an item of a list", ["list", 0, "c"], 4, 8],
    ["an absent key: the block that should hold it", ["a", "z"], 1, 1],
    ["an absent top-level key: the start", ["z"], 1, 1],
    ["a value behind an alias: where it stands", ["d", "b"], 2, 6],
    ["an empty value", ["e"], 6, 3],
  ])("of %s", (_, path, line, column) => {
    expect(yaml?.locate(path)).toEqual({ line, column });
  });

  it("gives a scalar as it is written", () => {
    expect(yaml?.source(["list", 0, "c"])).toBe("1.10");
  });
});

describe("any input", () => {
  it("gives a value or faults with a place, never an exception", () => {
    const pieces = fc.constantFrom(
      "a",
      "- ",
      ": ",
      "\n",
      "  ",
      "[",
      "]",
      "{",
      "}",
      ",",
      "&a ",
      "*a",
      "!!str ",
      "'",
      '"',
      "|\n",
      "#",
      "? ",
      "%",
      "---\n",
      "<<",
      "1",
      "~",
    );
    const yamlLike = fc.array(pieces, { maxLength: 60 }).map((parts) => Buffer.from(parts.join("")));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 200 }), yamlLike), (content) => {
        const { config, faults } = check(content);
        expect(config).toBeUndefined();
        for (const { line, column, remedy } of faults)
          expect([line, column, remedy]).toEqual([
            expect.any(Number),
            expect.any(Number),
            expect.stringMatching(/\.$|\?$/),
          ]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a good file with one field changed", () => {
  const fields = [...good.matchAll(/^ *([A-Za-z]+): (?!\{)(\S+)$/gm)].map(({ 0: text, index }) => ({
    text,
    line: good.slice(0, index).split("\n").length,
  }));

  it("names the line of that field, for every field", () => {
    expect(fields).toHaveLength(20);
    for (const { text, line } of fields) {
      const changed = good
        .split("\n")
        .map((current, index) => (index + 1 === line ? text.replace(/: .*/, ": { wrong: 1 }") : current));
      expect(faultsOf(changed.join("\n")), text).toContainEqual(expect.stringMatching(new RegExp(`^type .*:${line}$`)));
    }
  });
});
