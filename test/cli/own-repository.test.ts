import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { hearth } from "../support/caller.ts";
import { writeDeliverable } from "../support/deliverable-stack.ts";
import { ownRepository, repositoryWith } from "../support/example-stacks.ts";

/** Stacks outside of hearth's folder, as docs/how-to/own-repository.md has them. `test/e2e/example-stacks.test.ts` brings such ones up. */

const root = join(import.meta.dirname, "../..");
const repository = repositoryWith(ownRepository, "production");
const elsewhere = mkdtempSync(join(tmpdir(), "hearth-elsewhere-"));
afterAll(() => {
  for (const folder of [repository, elsewhere]) rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => hearth(elsewhere, "--folder", repository, ...args);

describe("the example repository", () => {
  it("has the project's file of hearth, but for its main file and its descriptions", () => {
    const { main, description, ...own } = parse(readFileSync(join(ownRepository, "Pulumi.yaml"), "utf8"));
    expect(parse(readFileSync(join(root, "Pulumi.yaml"), "utf8"))).toMatchObject(own);
    expect([main, description]).toEqual(["vendor/hearth/main.js", expect.any(String)]);
    expect(existsSync(join(repository, main))).toBe(true);
  });

  it("has a script that is ./hearth on its stacks, wherever it is called", () => {
    const called = spawnSync(join(repository, "hearth"), ["validate", "--stack", "prod", "--offline"], {
      cwd: elsewhere,
      encoding: "utf8",
    });
    expect(called.status, called.stderr).toBe(0);
    expect(called.stdout).toMatch(/^Pulumi\.prod\.yaml: valid\n/);
  });

  it.each([
    ["validate", "--stack", "prod", "--offline"],
    ["validate", "suites/studio/config.yaml", "--offline"],
    ["images", "list", "--stack", "prod"],
    ["rights", "--stack", "prod"],
    ["graph", "--stack", "prod", "--out", join(elsewhere, "prod.svg")],
  ])("%s %s %s", async (...args) => {
    const { status, stdout, stderr } = await hearth(repository, "--folder", ".", ...args);
    expect(status, stdout + stderr).toBe(0);
  });

  it("names the stacks that it has, and its own where one is missing", async () => {
    const { stdout } = await run("completion", "--words", "bash", "render", "--stack", "");
    expect(stdout).toBe("prod\t\n");
    expect((await run("render", "--stack", "dev", "--out", "x")).stderr).toContain("The stacks here: prod.");
  });

  it("gets new suites and stacks, which lead editors to the pinned schemas", async () => {
    const { status, stderr } = await run("init", "club", "--stack", "second", "--offline", "--yes");
    expect(status, stderr).toBe(0);
    const text = readFileSync(join(repository, "Pulumi.second.yaml"), "utf8");
    expect(text).toMatch(/schema=\S+\/schemas\/stack\.schema\.json$/m);
    expect(text).toContain("config: suites/club/config.yaml");
    expect(existsSync(join(repository, "suites/club/config.yaml"))).toBe(true);
    expect((await run("validate", "--stack", "second", "--offline")).status).toBe(0);
  });
});

describe("a delivery by GitOps", () => {
  const monorepo = mkdtempSync(join(tmpdir(), "hearth-monorepo-"));
  const project = join(monorepo, "infrastructure/platform");
  afterAll(() => rmSync(monorepo, { recursive: true }));
  beforeAll(() => {
    execFileSync("git", ["init", "--quiet", monorepo]);
    mkdirSync(project, { recursive: true });
    copyFileSync(join(ownRepository, "Pulumi.yaml"), join(project, "Pulumi.yaml"));
    writeDeliverable(project);
  });

  it("has the path from the root of its git repository, wherever in it the stacks are", async () => {
    const of = ["--stack", "test", "--gitops", "delivery", "--repository", "https://git.example.org/all.git"];
    const { status, stderr } = await hearth(project, "--folder", project, "render", ...of);
    expect(status, stderr).toBe(0);
    const { spec } = parse(readFileSync(join(project, "delivery/application.yaml"), "utf8"));
    expect(spec.source.path).toBe("infrastructure/platform/delivery/manifests");
  });
});

describe("a folder is refused", () => {
  it("that is no project", async () => {
    const { status, stderr } = await hearth(elsewhere, "--folder", ".", "validate", "--stack", "prod");
    expect(status).toBe(2);
    expect(stderr).toContain(
      `There is no ${join(elsewhere, "Pulumi.yaml")}: --folder names the folder of the stacks, and docs/how-to/own-repository.md has one to copy.`,
    );
  });

  it("of another project", async () => {
    const other = join(elsewhere, "other");
    mkdirSync(other);
    writeFileSync(join(other, "Pulumi.yaml"), "name: shop\nruntime: nodejs\n");
    const { status, stderr } = await hearth(elsewhere, "--folder", "other", "validate", "--stack", "prod");
    expect(status).toBe(2);
    expect(stderr).toContain(`${join(other, "Pulumi.yaml")} is not a project of hearth: it says \`name: hearth\``);
  });
});
