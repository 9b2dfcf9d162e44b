import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";

const project = join(import.meta.dirname, "../..");

/** Words that are offered at the end of a command line. */
async function offered(...words: string[]): Promise<string[]> {
  const { status, stdout } = await hearth(project, "completion", "--words", "bash", ...words);
  expect(status).toBe(0);
  return stdout.split("\n").flatMap((line) => line.split("\t")[0] || []);
}

describe("what is offered at the cursor", () => {
  it.each<[words: string[], offers: string[]]>([
    [["va"], ["validate"]],
    [
      ["sandbox", "sta"],
      ["start", "status"],
    ],
    [
      ["help", "sandbox", "sta"],
      ["start", "status"],
    ],
    [
      ["images", ""],
      ["list", "lock", "help"],
    ],
    [["validate", "--pro"], ["--profile"]],
    [
      ["validate", "--profile", ""],
      ["development", "production"],
    ],
    [["gate", "--profile", "ma"], ["maintenance"]],
    [["gate", "--profile", "=", "ma"], ["maintenance"]],
    [
      ["render", "--stack", ""],
      ["dev", "prod"],
    ],
    [["render", "--stack", "dev", "--o"], ["--out"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
    [["validate", "--users", ""], []],
    [["validate", ""], []],
    [["nonsense", "sta"], []],
  ])("%j: %j", async (words, offers) => {
    expect(await offered(...words)).toEqual(expect.arrayContaining(offers));
    expect((await offered(...words)).length).toBe(offers.length);
  });

  it("has every command, with what it is about", async () => {
    const { stdout } = await hearth(project, "completion", "--words", "zsh", "");
    expect(stdout).toMatch(/^validate\tcheck /m);
    expect(stdout).toMatch(/^sandbox\t/m);
  });
});

describe("the script of bash", () => {
  /** What bash offers for a command line, by the script. */
  function bash(line: string): string[] {
    const words = line.split(" ");
    const text = `
      PATH=${project}:$PATH
      eval "$(hearth completion bash)"
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
      COMP_CWORD=${words.length - 1}
      _hearth ${words[0]}
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", text], { encoding: "utf8", cwd: project });
    expect(stderr).toBe("");
    return stdout.split("\n").filter(Boolean);
  }

  it("offers words, for hearth on the path and in the folder", () => {
    expect(bash("hearth sandbox sta")).toEqual(["start", "status"]);
    expect(bash("./hearth render --stack ")).toEqual(expect.arrayContaining(["dev", "prod"]));
  });

  it("runs nothing of what is typed", () => {
    expect(bash("hearth validate $(touch /nonexistent/x)")).toEqual([]);
  });
});

it.each(["bash", "zsh", "fish"])("a script for %s is printed", async (shell) => {
  const { status, stdout } = await hearth(project, "completion", shell);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`completion --words ${shell} `)]);
});

it.each([[[]], [["tcsh"]], [["bash", "more"]]])("completion is refused with %j", async (args) => {
  expect(await hearth(project, "completion", ...args)).toMatchObject({ status: 2, stdout: "" });
});
