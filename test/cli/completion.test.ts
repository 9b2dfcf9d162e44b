import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";

const project = join(import.meta.dirname, "../..");
const stacks = readdirSync(project).flatMap((file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? []);

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
    [["render", "--stack", ""], stacks],
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

/** What a shell prints, which has to be silent otherwise. */
function output(shell: string, ...args: string[]): string[] {
  const env = { PATH: `${project}:${process.env.PATH}`, HOME: home };
  const { stdout, stderr } = spawnSync(shell, args, { encoding: "utf8", cwd: project, env });
  expect(stderr).toBe("");
  return stdout.split("\n").filter(Boolean);
}

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "hearth-completion-"));
});
afterAll(() => rmSync(home, { recursive: true }));

describe("the script of fish", () => {
  const fish = (line: string) =>
    output("fish", "--no-config", "-c", 'hearth completion fish | source; complete -C "$argv[1]"', "--", line);

  it("offers words with what they are about", () => {
    expect(fish("hearth sandbox sta")).toEqual([
      expect.stringMatching(/^start\t\w/),
      expect.stringMatching(/^status\t\w/),
    ]);
    expect(fish("hearth render --stack ")).toEqual(expect.arrayContaining(["dev", "prod"]));
  });

  it("offers files where a command takes them", () => {
    expect(fish("hearth validate packa")).toEqual(expect.arrayContaining(["package.json"]));
  });

  it("runs nothing of what is typed", () => {
    expect(fish("hearth validate (touch /nonexistent/x) ")).not.toContainEqual(expect.stringContaining("nonexistent"));
  });
});

describe("the script of zsh", () => {
  /** What zsh offers: the script's own words, and "files" where it leaves the word to the files' completion. */
  const zsh = (...words: string[]) =>
    output(
      "zsh",
      "-f",
      "-c",
      `compdef() {}
      _describe() { print -rl -- "\${(P@)4}" }
      _files() { print files }
      eval "$(hearth completion zsh)"
      words=("$@") CURRENT=$#
      _hearth`,
      "zsh",
      ...words,
    );

  it("offers words with what they are about", () => {
    expect(zsh("hearth", "sandbox", "sta")).toEqual([
      expect.stringMatching(/^start:\w/),
      expect.stringMatching(/^status:\w/),
    ]);
    expect(zsh("./hearth", "render", "--stack", "")).toEqual(expect.arrayContaining(["dev:", "prod:"]));
  });

  it("offers files where a command takes them, and runs nothing of what is typed", () => {
    expect(zsh("hearth", "validate", "packa")).toEqual(["files"]);
    expect(zsh("hearth", "validate", "$(touch /nonexistent/x)", "")).toEqual(["files"]);
  });
});

it.each(["bash", "zsh", "fish"])("a script for %s is printed", async (shell) => {
  const { status, stdout } = await hearth(project, "completion", shell);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`completion --words ${shell} `)]);
});

it.each([[[]], [["tcsh"]], [["bash", "more"]]])("completion is refused with %j", async (args) => {
  expect(await hearth(project, "completion", ...args)).toMatchObject({ status: 2, stdout: "" });
});
