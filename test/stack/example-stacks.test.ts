import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterAll, describe, expect, it } from "vitest";
import { violationsOf } from "../policy/support/whole-stack.ts";
import { hearthIn } from "../support/caller.ts";
import { exampleStacks, examples } from "../support/example-stacks.ts";

/** The stacks to start from: each is sound as it stands, and has a page. `test/e2e/example-stacks.test.ts` brings them up. */

const out = mkdtempSync(join(tmpdir(), "hearth-examples-"));
afterAll(() => rmSync(out, { recursive: true }));

it("the list of the examples has each stack", () => {
  const list = readFileSync(join(examples, "README.md"), "utf8");
  for (const name of exampleStacks) expect(list).toContain(`](${name}/README.md)`);
  expect(exampleStacks.length).toBeGreaterThan(3);
});

describe.each(exampleStacks)("the stack %s", (name) => {
  const folder = join(examples, name);

  it("is valid, and warns of nothing but what it widens", async () => {
    const { status, stdout, stderr } = await hearthIn(folder, "validate", "--stack", name, "--offline", "--json");
    expect(status, stdout + stderr).toBe(0);
    const [file] = JSON.parse(stdout);
    expect(file.valid).toBe(true);
    const codes = file.problems.map(({ code }: { code: string }) => code);
    expect(codes.filter((code: string) => code !== "limit-widened")).toEqual([]);
  });

  it("renders", async () => {
    const { status, stderr } = await hearthIn(folder, "render", "--stack", name, "--out", join(out, name));
    expect(status, stderr).toBe(0);
    expect(readdirSync(join(out, name)).length).toBeGreaterThan(0);
  });

  it("keeps every policy, and leaves none unjudged", () => {
    const { source } = sourceFromFile(folder, name);
    const stack = source && checkStack(folder, source).stack;
    if (!stack) throw new Error("The stack is not valid.");
    expect(violationsOf(stack)).toEqual([]);
  });

  it("has a page of one screen, with what comes before up and what no setting says", () => {
    const page = readFileSync(join(folder, "README.md"), "utf8");
    expect(page.split("\n").length).toBeLessThan(50);
    expect(page).toContain("## Before `up`");
    expect(page).toMatch(/## What can't be said in settings\n\n(- \*\*.+\n){3}/);
    expect(page).toContain(`$ ./hearth validate --stack ${name} --offline`);
  });
});
