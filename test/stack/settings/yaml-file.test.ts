import { readYaml } from "@hearth-platform/stack/settings/yaml-file";
import { describe, expect, it } from "vitest";

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

describe("the depth of a file", () => {
  const codes = (text: string) => readYaml("f.yaml", Buffer.from(text)).problems.map(({ code }) => code);

  it("is that of lists in one another, and not of lists side by side", () => {
    expect(codes(`a: [${"[], ".repeat(40)}]\n`)).toEqual([]);
    expect(codes(`a: ${"[".repeat(40)}${"]".repeat(40)}\n`)).toEqual(["yaml-depth"]);
  });

  it("is that of dashes in one line, and not of lines below one another", () => {
    expect(codes(`a:\n${"  - - x\n".repeat(40)}`)).toEqual([]);
    expect(codes(`${"- ".repeat(40)}x\n`)).toEqual(["yaml-depth"]);
  });
});

it("a file that is no text is refused at its first line", () => {
  expect(readYaml("f.yaml", Uint8Array.of(0x61, 0x0a, 0xff)).problems).toMatchObject([
    { code: "yaml-encoding", file: "f.yaml", line: 1, column: 1 },
  ]);
});
