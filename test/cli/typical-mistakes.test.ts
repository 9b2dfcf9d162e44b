import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keystore } from "@hearth-platform/hearth";
import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Answer, hearth } from "../support/caller.ts";
import { commandMistakes } from "./typical-mistakes/commands.ts";
import { stackMistakes, suiteMistakes } from "./typical-mistakes/files.ts";
import type { File } from "./typical-mistakes/mistake.ts";

/** Typical mistakes of a first week: each is answered with its place and a remedy, and none ends green or in a dead end. */

const root = join(import.meta.dirname, "../..");
const folders: string[] = [];
const files: readonly File[] = ["Pulumi.prod.yaml", "suites/example/config.yaml"];

/** A project with stack `prod` as it is committed. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-mistakes-"));
  folders.push(folder);
  mkdirSync(join(folder, "suites/example"), { recursive: true });
  for (const file of ["Pulumi.yaml", ...files]) cpSync(join(root, file), join(folder, file));
  return folder;
}

beforeAll(() => {
  vi.stubEnv("HEARTH_SANDBOX", "unit-mistakes");
  vi.stubEnv("KUBECONFIG", "/nowhere/config");
});
afterAll(() => {
  vi.unstubAllEnvs();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** What holds for every answer to a mistake. */
function expectHelp({ status, stdout, stderr }: Answer): string {
  const text = `${stdout}${stderr}`;
  expect(status, text).toBeGreaterThan(0);
  expect(text).not.toMatch(/\bundefined\b|\[object |\bENOENT\b|^ {4}at /m);
  return text;
}

it("are more than forty", () => {
  const all = [stackMistakes, suiteMistakes, commandMistakes].flatMap(Object.keys);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(40);
});

describe.each([
  ["a stack's file", stackMistakes],
  ["a suite's config.yaml", suiteMistakes],
])("in %s", (_, mistakes) => {
  it.each(Object.entries(mistakes))("%s", async (_name, { file, edit: [from, to], at, says, remedy, alone = true }) => {
    const folder = project();
    const before = readFileSync(join(folder, file), "utf8");
    const text = before.replace(from, to);
    expect(text).not.toBe(before);
    writeFileSync(join(folder, file), text);
    const answer = await hearth(folder, "--folder", folder, "validate", "--stack", "prod", "--offline");
    const said = expectHelp(answer);
    const lines = text.split("\n");
    const exactly = lines.findIndex((each) => each.trim() === at.trim());
    const line = (exactly < 0 ? lines.findIndex((each) => each.includes(at)) : exactly) + 1;
    expect(line, `${at} is in the file`).toBeGreaterThan(0);
    const problems = said
      .split("\n")
      .flatMap((each, index, lines) => (/: error: /.test(each) ? [[each, lines[index + 1]]] : []));
    const [problem, advice] =
      problems.find(([each]) => each?.startsWith(`${file}:${line}:`) && each.includes(says)) ?? [];
    expect(problem, said).toBeDefined();
    expect(advice).toMatch(/^ {4}\S/);
    expect(advice).toContain(remedy);
    if (alone) expect(problems.length, said).toBe(1);
  });
});

describe("on the command line", () => {
  it.each(Object.entries(commandMistakes))("%s", async (_name, { args, pulumi, at, says, remedy }) => {
    const folder = project();
    const user = { name: "me", user: { token: "x" } };
    const clusters = [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }];
    for (const [name, known] of [
      ["DEAD", "me"],
      ["ODD", "gone"],
    ] as const) {
      const contexts = [{ name: "prod", context: { cluster: "c", user: known } }];
      writeFileSync(
        join(folder, name),
        JSON.stringify({ clusters, contexts, users: [user], "current-context": "prod" }),
      );
    }
    const bin = join(folder, "bin");
    mkdirSync(bin);
    if (pulumi !== undefined) {
      writeFileSync(join(bin, "pulumi"), `#!/bin/sh\ncat >&2 <<'END'\n${pulumi}\nEND\nexit 255\n`);
      chmodSync(join(bin, "pulumi"), 0o755);
    }
    vi.stubEnv("PATH", `${bin}:/usr/bin:/bin`);
    const said = expectHelp(await hearth(folder, ...(args[0] === "--folder" ? [] : ["--folder", "."]), ...args));
    for (const part of [at, says, remedy]) expect(said).toContain(part);
  });
});

describe("in a program of one's own", () => {
  const valid = { namespace: "default", version: "8.1.9-alpine", platform: { profile: "development" } };
  beforeAll(() =>
    pulumi.runtime.setMocks({
      newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
      call: ({ inputs }) => inputs,
    }),
  );

  it.each<[string, () => unknown, says: string, remedy: string]>([
    ["no arguments", () => undefined, "namespace: The field is missing.", "Add it. Namespace of the component"],
    [
      "an Output",
      () => ({ ...valid, namespace: pulumi.output("x") }),
      "namespace: Found an Output",
      "Take it from the configuration",
    ],
    [
      "an argument with a slip",
      () => ({ ...valid, versoin: "8" }),
      'versoin: Unknown key "versoin".',
      "Did you mean version?",
    ],
    [
      "a number that is text",
      () => ({ ...valid, version: 8 }),
      "version: Found a number, not text.",
      "Put it in quotes.",
    ],
    [
      "the latest image",
      () => ({ ...valid, version: "latest" }),
      "version: The value does not start",
      "Write it like 8.",
    ],
    [
      "a profile that is none",
      () => ({ ...valid, platform: { profile: "prod" } }),
      "platform.profile: The value is not allowed.",
      "Write development or production.",
    ],
  ])("%s", (_, args, says, remedy) => {
    const make = () => new Keystore("mine", args() as never);
    expect(make).toThrow(pulumi.InputPropertiesError);
    for (const part of ["mine can't be deployed:", says, remedy]) expect(make).toThrow(part);
  });
});
