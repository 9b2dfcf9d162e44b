import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hearth } from "../support/caller.ts";
import { consoleCommands, verdictOf } from "../support/console-blocks.ts";

/** Every command that the pages show is run by a test, or has the reason why not in test/support/console-blocks.ts. */

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-console-"));
afterAll(() => rmSync(folder, { recursive: true }));

const commands = consoleCommands();
const words = (command: string) => /(?<!\.)\.\/hearth (.+?)(?: && |"?\)"?$|$)/.exec(command)?.[1]?.split(/\s+/) ?? [];

describe("the commands of the pages", () => {
  it("have each a verdict: run here, run by another test, or not, and why", () => {
    expect(commands.length).toBeGreaterThan(80);
    expect(commands.filter((each) => verdictOf(each) === undefined)).toEqual([]);
    const others = commands.flatMap((each) => {
      const verdict = verdictOf(each);
      return typeof verdict === "object" && "runBy" in verdict ? [verdict.runBy] : [];
    });
    expect([...new Set(others)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  const runnable = commands.filter((each) => verdictOf(each) === "run").map(({ command }) => command);
  it.each([...new Set(runnable)])("%s", async (command) => {
    const [name = "", ...given] = words(command);
    const args = given.map((word) => word.replace(/^\/tmp\//, `${folder}/`));
    // Nobody is there to be asked, and the files of the suites are the checkout's.
    const asked = name === "init" ? ["--yes", "--out", join(folder, `${given.length}.yaml`)] : [];
    const { status, stderr } = await hearth(
      name === "validate" ? root : folder,
      name,
      ...args,
      ...asked.filter((each) => !args.includes(each)),
    );
    expect(status, stderr).toBe(0);
  });

  const own = [...new Set(commands.filter(({ command }) => words(command).length > 0).map(({ command }) => command))];
  it.each(own)("%s has options that there are", async (command) => {
    const given = words(command).slice(
      0,
      words(command).indexOf("kubectl") + 1 || words(command).indexOf("pulumi") + 1 || undefined,
    );
    const isBelow = ["sandbox", "images"].includes(given[0] ?? "") || given[1] === "check";
    const path = given.slice(0, isBelow ? 2 : 1);
    const { status, stdout } = await hearth(folder, ...path, "--help");
    expect(status).toBe(0);
    for (const option of given.filter((word) => word.startsWith("-")))
      expect(stdout, option).toMatch(new RegExp(`(^|[ ,])${option}\\b`, "m"));
  });
});
