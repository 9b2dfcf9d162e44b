import { join } from "node:path";
import { type Session, withCommandsBelow } from "@hearth-platform/cli/command";
import { commandNames, loadCommand } from "@hearth-platform/cli/hearth";
import { describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";

const project = join(import.meta.dirname, "../..");
const session: Session = {
  folder: project,
  project,
  terminal: false,
  columns: 100,
  output: () => {},
  error: () => {},
  end: () => {},
};

const whole = (await loadCommand(commandNames))(session);

/** Every command by its words. */
const commands = withCommandsBelow(whole)
  .slice(1)
  .map((command) => {
    const words: string[] = [];
    for (let each = command; each.parent; each = each.parent) words.unshift(each.name());
    return { words, command };
  });

/** The options that a command can't do without, so that only what is tried is wrong. */
const needs = (command: (typeof commands)[number]["command"]) =>
  command.options.flatMap(({ mandatory, long }) => (mandatory ? [String(long), "x"] : []));

/** Commands whose words go to another program. */
const passOnTo = ["kubectl", "pulumi"];

const run = (...args: string[]) => hearth(project, ...args);

describe("the whole command line", () => {
  it("is what --help prints", async () => {
    const pages = [await run("--help")];
    for (const { words } of commands) pages.push(await run(...words, "--help"));
    expect(pages.every(({ status, stderr }) => status === 0 && stderr === "")).toBe(true);
    await expect(pages.map(({ stdout }) => stdout).join("\n\n")).toMatchFileSnapshot("help.txt");
  });

  it("has the same help by three ways, and shows it where nothing is asked", async () => {
    for (const words of [[], ["render"], ["sandbox", "start"]]) {
      const { stdout } = await run(...words, "--help");
      expect((await run(...words, "-h")).stdout).toBe(stdout);
      expect((await run("help", ...words)).stdout).toBe(stdout);
    }
    expect(await run()).toEqual(await run("--help"));
    expect(await run("sandbox")).toEqual(await run("help", "sandbox"));
    expect(await run("sandbox", "help", "start")).toEqual(await run("help", "sandbox", "start"));
  });

  it("says each command in a line of the help above it", () => {
    for (const { words, command } of commands) expect(command.summary(), words.join(" ")).toMatch(/^[a-z].*[^.]$/);
  });

  it("tells its version", async () => {
    expect(await run("--version")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});

describe("an option", () => {
  it("means the same in every command that has it", () => {
    const meanings = new Map<string, string>();
    for (const { words, command } of commands)
      for (const { long, flags, description } of command.options) {
        const [meaning] = description.split(";");
        const known = meanings.get(String(long));
        if (known !== undefined) expect(`${flags} ${meaning}`, words.join(" ")).toBe(known);
        meanings.set(String(long), `${flags} ${meaning}`);
      }
    expect(meanings.size).toBeGreaterThan(20);
  });

  it("that a command does not have is refused, and the help named", async () => {
    for (const { words, command } of commands.filter(({ words }) => !passOnTo.includes(words.at(-1) ?? "")))
      expect(await run(...words, ...needs(command), "--offlien"), words.join(" ")).toEqual({
        status: 2,
        stdout: "",
        stderr: expect.stringMatching(
          new RegExp(`^Unknown option '--offlien'.*\\nSee: \\./hearth ${words.join(" ")} --help\\n$`),
        ),
      });
  });

  it("is suggested for one with a slip", async () => {
    expect((await run("validate", "--ofline", "x.yaml")).stderr).toContain("Did you mean --offline?");
  });

  it("that is given twice is refused, as one of the two would be dropped", async () => {
    const { status, stderr } = await run("render", "--stack", "dev", "--stack", "prod");
    expect([status, stderr]).toEqual([2, expect.stringContaining("Option '--stack <STACK>' is given twice.")]);
  });

  it("that stands without its value is refused", async () => {
    expect(await run("render", "--stack")).toMatchObject({ status: 2, stderr: expect.stringContaining("--stack") });
  });
});

describe("a word", () => {
  it("that is no command is refused, with the one that may be meant", async () => {
    expect(await run("vlidate")).toEqual({
      status: 2,
      stdout: "",
      stderr: "Unknown command 'vlidate'. Did you mean validate?\nSee: ./hearth --help\n",
    });
    expect((await run("sandbox", "strat")).stderr).toContain("Did you mean start?");
    expect((await run("help", "sandbox", "strat")).stderr).toContain("Did you mean start?");
    expect(await run("constructor")).toMatchObject({ status: 2, stdout: "" });
  });

  it("more than a command takes is refused", async () => {
    const bounded = commands.filter(
      ({ command }) => command.commands.length === 0 && !command.registeredArguments.some(({ variadic }) => variadic),
    );
    expect(bounded.length).toBeGreaterThan(8);
    for (const { words, command } of bounded) {
      const arguments_ = command.registeredArguments.map(() => "a");
      const { status, stdout, stderr } = await run(...words, ...needs(command), ...arguments_, "more");
      expect([status, stdout, stderr], words.join(" ")).toEqual([2, "", expect.stringContaining("oo many arguments")]);
    }
  });
});
