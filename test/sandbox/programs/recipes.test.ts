import { appendFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "@hearth-platform/sandbox/programs/catalog";
import type { Go } from "@hearth-platform/sandbox/programs/go";
import { programRecipe } from "@hearth-platform/sandbox/programs/recipes";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const go: Go = { version: "go1.26.8", os: "linux", arch: "amd64", proxy: "direct" };
const program: Program = {
  name: "thing",
  what: "a thing",
  module: "example.org/thing",
  packages: ["example.org/thing/cmd/thing"],
  tags: ["one"],
  variables: (version) => ({ "example.org/thing.Version": version }),
  links: ["also"],
  minutes: 1,
  space: { modules: 1, compiled: 1, result: 1 },
};

let source: string;
beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), "recipe-"));
  await writeFile(join(source, "go.mod"), "module x\n\nrequire example.org/thing v1.2.3\n");
  await writeFile(join(source, "go.sum"), "example.org/thing v1.2.3 h1:abc=\n");
  await writeFile(join(source, "main.go"), "package main\n");
});
afterEach(() => rm(source, { recursive: true }));

const key = async (changed: Partial<Program> = {}, changedGo: Partial<Go> = {}) =>
  (await programRecipe({ ...program, ...changed }, { ...go, ...changedGo }, source)).key;

describe("the cache key of a program", () => {
  test.each(["go.mod", "go.sum", "main.go"])("changes with %s", async (file) => {
    const before = await key();
    await appendFile(join(source, file), "// more\n");
    expect(await key()).not.toBe(before);
  });

  test("changes with a new source file, and with text moved from one file to another", async () => {
    const before = await key();
    await writeFile(join(source, "more.go"), "");
    const more = await key();
    expect(more).not.toBe(before);
    await writeFile(join(source, "main.go"), "");
    await writeFile(join(source, "more.go"), "package main\n");
    expect(await key()).not.toBe(more);
  });

  test("changes with a file's name, which may say for which platform it is", async () => {
    const before = await key();
    await rename(join(source, "main.go"), join(source, "main_windows.go"));
    expect(await key()).not.toBe(before);
  });

  test.each<[string, Partial<Program>]>([
    ["packages", { packages: ["example.org/thing/cmd/other"] }],
    ["build tags", { tags: [] }],
    ["linker variables", { variables: () => ({}) }],
    ["links", { links: [] }],
  ])("changes with its %s", async (_, changed) => {
    expect(await key(changed)).not.toBe(await key());
  });

  test.each<[string, Partial<Go>]>([
    ["version", { version: "go1.26.9" }],
    ["operating system", { os: "darwin" }],
    ["architecture", { arch: "arm64" }],
  ])("changes with Go's %s", async (_, changed) => {
    expect(await key({}, changed)).not.toBe(await key());
  });

  test("stays when nothing that shapes the result differs: another checkout, other dates, other words", async () => {
    const before = await key();
    await writeFile(join(source, "README.md"), "words");
    await mkdir(join(source, "folder"));
    await utimes(join(source, "main.go"), 1, 1);
    const elsewhere = `${source}-moved`;
    await rename(source, elsewhere);
    source = elsewhere;
    const changed = { what: "other words", minutes: 9, space: { modules: 9, compiled: 9, result: 9 } };
    expect(await key(changed, { proxy: "https://proxy.example.org" })).toBe(before);
  });
});

test("a module that go.mod does not name is reported with what to do", async () => {
  await expect(key({ module: "example.org/missing" })).rejects.toThrow("example.org/missing is not in go.mod: add it");
});
