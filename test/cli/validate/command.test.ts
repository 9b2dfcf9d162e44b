import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { edited, good } from "../../stack/suite-file.ts";
import { hearth } from "../../support/caller.ts";

const program = join(import.meta.dirname, "../../../cli/main.mjs");
const low = edited("keystoreSize: 5Gi", "keystoreSize: 1Gi");
const twoProblems = edited("namespace: team", "namespace: Team", edited('"16"', "16"));

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-validate-"));
  const files = { "good.yaml": good, "low.yaml": low, "problems.yaml": twoProblems, "tab.yaml": "a:\n\tb: 1\n" };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** `./hearth validate ARGS`, called in the folder of the files. */
const run = (...args: string[]) => hearth(folder, "validate", ...args);

/** The same as a process. */
function start(args: readonly string[], env: Record<string, string> = {}, nodeArgs: readonly string[] = []) {
  return spawnSync(process.execPath, [...nodeArgs, program, "validate", ...args], {
    encoding: "utf8",
    cwd: folder,
    env: { PATH: process.env.PATH, XDG_CACHE_HOME: tmpdir(), ...env },
  });
}

/** Title of each step's line → its outcome. */
function outcomes(stdout: string): string[] {
  return [...stdout.matchAll(/^ {2}\d {2}(passed|failed|not reached|left out) /gm)].map(([, outcome = ""]) => outcome);
}

describe("hearth validate", () => {
  it("shows the four steps of a good file, the dry run left out without a cluster", async () => {
    const { status, stdout, stderr } = await run("--offline", "good.yaml");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^good\.yaml: valid$/m);
    expect(outcomes(stdout)).toEqual(["passed", "passed", "passed", "left out"]);
  });

  it.each([
    ["tab.yaml", ["failed", "not reached", "not reached", "not reached"], "tab.yaml:2:1: error:"],
    ["problems.yaml", ["passed", "failed", "not reached", "not reached"], "problems.yaml:5:7: error: versions.db:"],
    ["absent.yaml", ["failed", "not reached", "not reached", "not reached"], "absent.yaml does not exist"],
    // Nobody has read it.
    ["Pulumi.prod.yaml", ["failed", "not reached", "not reached", "not reached"], "is the file of a stack"],
  ])("stops at the step that %s fails, with status 1", async (file, steps, problem) => {
    const { status, stdout } = await run("--offline", file);
    expect([status, outcomes(stdout)]).toEqual([1, steps]);
    expect(stdout).toContain(problem);
  });

  it("checks every file, and fails where one has a problem", async () => {
    const { status, stdout } = await run("--offline", "good.yaml", "problems.yaml", "low.yaml");
    expect(status).toBe(1);
    expect(stdout.match(/^\S+\.yaml: .*$/gm)?.filter((line) => / valid$|not valid$/.test(line))).toEqual([
      "good.yaml: valid",
      "problems.yaml: not valid",
      "low.yaml: valid",
    ]);
  });

  it("lets warnings pass, and with --strict not", async () => {
    expect(await run("--offline", "low.yaml")).toMatchObject({ status: 0 });
    const { status, stdout } = await run("--offline", "--strict", "low.yaml");
    expect(status).toBe(1);
    expect(stdout).toContain("error: storage.keystoreSize");
  });

  it("takes what the file can't say from options", async () => {
    const codes = async (...args: string[]) =>
      JSON.parse((await run("--offline", "--json", ...args, "good.yaml")).stdout)[0].problems.map(
        ({ code, path }: { code: string; path: string }) => `${code} ${path}`,
      );
    expect(await codes()).toEqual([]);
    expect(await codes("--users", "30")).toContain("sizing-users resources.cloudsuite.requests.cpu");
    expect(await codes("--files", "50000")).toEqual(["sizing-files storage.dbSize"]);
    expect(await codes("--profile", "production")).toEqual(["replicas-profile replicas.db"]);
  });

  it("prints JSON and nothing else for machines", async () => {
    const { status, stdout, stderr } = await run("--offline", "--json", "good.yaml", "problems.yaml");
    expect([status, stderr]).toEqual([1, ""]);
    expect(JSON.parse(stdout)).toEqual([
      { file: "good.yaml", valid: true, problems: [] },
      {
        file: "problems.yaml",
        valid: false,
        problems: [
          {
            severity: "error",
            code: "dns-label",
            path: "namespace",
            line: 1,
            column: 12,
            message: "The value is not a DNS label.",
            remedy: expect.stringContaining("lower-case"),
          },
          {
            severity: "error",
            code: "type",
            path: "versions.db",
            line: 5,
            column: 7,
            message: "Found a number, not text.",
            remedy: "Put it in quotes.",
          },
        ],
      },
    ]);
  });

  it("prints SARIF with a place for every problem", async () => {
    const { status, stdout } = await run("--offline", "--sarif", "problems.yaml");
    const { version, runs } = JSON.parse(stdout);
    expect([status, version]).toEqual([1, "2.1.0"]);
    expect(runs[0].tool.driver.rules).toEqual([{ id: "dns-label" }, { id: "type" }]);
    expect(runs[0].results[1]).toMatchObject({
      ruleId: "type",
      level: "error",
      locations: [
        { physicalLocation: { artifactLocation: { uri: "problems.yaml" }, region: { startLine: 5, startColumn: 7 } } },
      ],
    });
    expect(runs[0].results[1].message.text).toBe("versions.db: Found a number, not text. Put it in quotes.");
  });

  it("gives a problem of the whole file its first character as a place, in SARIF too", async () => {
    const results = async (...args: string[]) => JSON.parse((await run("--sarif", ...args)).stdout).runs[0].results;
    for (const [result] of [
      await results("--offline", "absent.yaml"),
      await results("--kubeconfig", join(folder, "none"), "good.yaml"),
    ]) {
      expect(result.locations[0].physicalLocation.region).toEqual({ startLine: 1, startColumn: 1 });
      expect(result.message.text).toMatch(/^[^:]*(does not exist|No cluster)/);
    }
  });

  it.each([
    ["no file", []],
    ["a file and a stack", ["--stack", "dev", "good.yaml"]],
    ["a stack of which options say what it says itself", ["--stack", "dev", "--users", "30"]],
    ["an unknown option", ["--force", "good.yaml"]],
    ["two formats", ["--json", "--sarif", "good.yaml"]],
    ["a number that is none", ["--users", "many", "good.yaml"]],
    ["an unknown profile", ["--profile", "test", "good.yaml"]],
    ["a cluster that is not to be asked", ["--offline", "--context", "c", "good.yaml"]],
    ["the sandbox and no cluster", ["--sandbox", "--offline", "good.yaml"]],
    ["the sandbox and another cluster", ["--sandbox", "--kubeconfig", "c", "good.yaml"]],
  ])("ends with 2 for %s, and prints nothing", async (_, args) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--help");
  });

  it("explains itself", async () => {
    const { status, stdout } = await run("--help");
    expect([status, stdout.includes("--offline")]).toEqual([0, true]);
  });

  it("says where a cluster can't be used, and how to go on without", async () => {
    const { status, stdout } = await run("--json", "--kubeconfig", "absent.kubeconfig", "good.yaml");
    const [{ problems }] = JSON.parse(stdout);
    expect(status).toBe(1);
    expect(problems).toEqual([expect.objectContaining({ code: "dry-run-cluster" })]);
    expect(problems[0].message).toContain(`${join(folder, "absent.kubeconfig")} does not exist`);
    expect(problems[0].remedy).toContain("--offline");
  });

  it.each([
    ["is told, and the other steps decide", [], 0, "left out"],
    ["that was named for it is an error", ["--sandbox"], 1, "failed"],
  ])("a sandbox that does not run %s", (_, args, ends, outcome) => {
    const { status, stdout } = start([...args, "good.yaml"], {
      HEARTH_SANDBOX: "never-started",
      XDG_STATE_HOME: folder,
    });
    expect(status).toBe(ends);
    expect(outcomes(stdout)).toEqual(["passed", "passed", "passed", outcome]);
    expect(stdout).toContain("./hearth sandbox start");
  });

  it("loads nothing but the option parser, the YAML parser and the schema library before the dry run, and writes nothing", () => {
    const record = `import { registerHooks } from "node:module";
      import { appendFileSync } from "node:fs";
      registerHooks({ resolve(specifier, context, next) {
        const found = next(specifier, context);
        appendFileSync(process.env.LOADED, found.url + "\\n");
        return found;
      } });`;
    const loaded = join(folder, "loaded");
    const args = ["--import", `data:text/javascript,${encodeURIComponent(record)}`];
    expect(start(["--offline", "good.yaml"], { LOADED: loaded }, args).status).toBe(0);
    const files = readFileSync(loaded, "utf8")
      .split("\n")
      .filter((url) => url.startsWith("file:"));
    const bundled = files.filter((url) => url.includes("/node_modules/.cache/"));
    // A bundle names in a comment each file that a part of it is made of.
    const sources = bundled.flatMap((url) =>
      [...readFileSync(new URL(url), "utf8").matchAll(/^\/\/ (\S+)$/gm)].map(([, path]) => `/${path}`),
    );
    const packages = [...files.filter((url) => !bundled.includes(url)), ...sources].flatMap(
      (path) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    );
    expect(sources).toContain("/cli/validate/command.ts");
    expect([...new Set(packages)].sort()).toEqual(["commander", "yaml", "zod"]);
    expect(readdirSync(folder).sort()).toEqual(["good.yaml", "loaded", "low.yaml", "problems.yaml", "tab.yaml"]);
  });
});
