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
    const found = await offered(...words);
    expect(found).toEqual(expect.arrayContaining(offers));
    expect(found.length).toBe(offers.length);
  });

  it("has every command, with what it is about", async () => {
    const { stdout } = await hearth(project, "completion", "--words", "zsh", "");
    expect(stdout).toMatch(/^validate\tcheck /m);
    expect(stdout).toMatch(/^sandbox\t/m);
  });
});

/** Stands behind each answer of a shell: to start one, and the script in it, takes longer than to ask it. */
const end = "--end--";

function answers({ stdout, stderr }: { stdout: string; stderr: string }): string[][] {
  expect(stderr).toBe("");
  const texts = stdout.split(`${end}\n`);
  expect(texts.pop()).toBe("");
  return texts.map((text) => text.split("\n").filter(Boolean));
}

describe("the script of bash", () => {
  /** What bash offers for each command line, by the script. */
  function bash(...lines: string[]): string[][] {
    const offers = lines.map((line) => {
      const words = line.split(" ");
      return `
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")})
      COMP_CWORD=${words.length - 1}
      COMPREPLY=()
      _hearth ${words[0]}
      printf '%s\\n' "\${COMPREPLY[@]}" ${end}`;
    });
    const text = `PATH=${project}:$PATH\neval "$(hearth completion bash)"${offers.join("")}`;
    return answers(spawnSync("bash", ["--norc", "-c", text], { encoding: "utf8", cwd: project }));
  }

  it("offers words, for hearth on the path and in the folder, and runs nothing of what is typed", () => {
    expect(bash("hearth sandbox sta", "./hearth render --stack ", "hearth validate $(touch /nonexistent/x)")).toEqual([
      ["start", "status"],
      expect.arrayContaining(["dev", "prod"]),
      [],
    ]);
  });
});

/** What a shell prints, which has to be silent otherwise. */
function output(shell: string, ...args: string[]): string[][] {
  const env = { PATH: `${project}:${process.env.PATH}`, HOME: home };
  return answers(spawnSync(shell, args, { encoding: "utf8", cwd: project, env }));
}

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "hearth-completion-"));
});
afterAll(() => rmSync(home, { recursive: true }));

describe("the script of fish", () => {
  const fish = (...lines: string[]) =>
    output(
      "fish",
      "--no-config",
      "-c",
      `hearth completion fish | source; for line in $argv; complete -C "$line"; echo ${end}; end`,
      "--",
      ...lines,
    );

  it("offers words with what they are about, and files where a command takes them, and runs nothing of what is typed", () => {
    const lines = ["hearth sandbox sta", "hearth render --stack ", "hearth validate packa"];
    const [words, stacks, files, typed] = fish(...lines, "hearth validate (touch /nonexistent/x) ");
    expect(words).toEqual([expect.stringMatching(/^start\t\w/), expect.stringMatching(/^status\t\w/)]);
    expect(stacks).toEqual(expect.arrayContaining(["dev", "prod"]));
    expect(files).toEqual(expect.arrayContaining(["package.json"]));
    expect(typed).not.toContainEqual(expect.stringContaining("nonexistent"));
  });
});

describe("the script of zsh", () => {
  /** What zsh offers: the script's own words, and "files" where it leaves the word to the files' completion. */
  const zsh = (...lines: string[][]) =>
    output(
      "zsh",
      "-f",
      "-c",
      `compdef() {}
      _describe() { print -rl -- "\${(P@)4}" }
      _files() { print files }
      eval "$(hearth completion zsh)"
      while (( $# )); do
        words=()
        while [[ $1 != ${end} ]]; do words+=("$1"); shift; done
        shift
        CURRENT=$#words
        _hearth
        print -r -- ${end}
      done`,
      "zsh",
      ...lines.flatMap((words) => [...words, end]),
    );

  it("offers words with what they are about, and files where a command takes them, and runs nothing of what is typed", () => {
    const [words, stacks, files, typed] = zsh(
      ["hearth", "sandbox", "sta"],
      ["./hearth", "render", "--stack", ""],
      ["hearth", "validate", "packa"],
      ["hearth", "validate", "$(touch /nonexistent/x)", ""],
    );
    expect(words).toEqual([expect.stringMatching(/^start:\w/), expect.stringMatching(/^status:\w/)]);
    expect(stacks).toEqual(expect.arrayContaining(["dev:", "prod:"]));
    expect([files, typed]).toEqual([["files"], ["files"]]);
  });
});

it.each(["bash", "zsh", "fish"])("a script for %s is printed", async (shell) => {
  const { status, stdout } = await hearth(project, "completion", shell);
  expect([status, stdout]).toEqual([0, expect.stringContaining(`completion --words ${shell} `)]);
});

it.each([[[]], [["tcsh"]], [["bash", "more"]]])("completion is refused with %j", async (args) => {
  expect(await hearth(project, "completion", ...args)).toMatchObject({ status: 2, stdout: "" });
});
