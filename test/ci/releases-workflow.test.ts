import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";

const project = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "hearth-releases-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the monthly pull request", () => {
  const workflow = parse(readFileSync(join(project, ".github/workflows/releases.yml"), "utf8"));
  const { ask, propose } = workflow.jobs as Record<string, { permissions?: object; steps: { run?: string }[] }>;

  /** Runs what proposes changes, in a clone that gets `patch`; `open` is the number of the pull request there is. */
  async function proposed(name: string, patch: (clone: string) => Promise<string>, open: string) {
    const at = join(folder, name);
    const [remote, clone] = [join(at, "remote"), join(at, "clone")];
    const git = (...args: string[]) => execa("git", args, { cwd: clone, env: identity });
    const who = { NAME: "a", EMAIL: "a@example.org" };
    const identity = Object.fromEntries(
      Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    );
    await execa("git", ["init", "--quiet", "--bare", remote]);
    mkdirSync(join(clone, "changes"), { recursive: true });
    await git("init", "--quiet");
    writeFileSync(join(clone, "table"), "old\n");
    await git("add", "table");
    await git("commit", "--quiet", "--message", "first");
    writeFileSync(join(clone, "changes/releases.patch"), await patch(clone));
    writeFileSync(join(at, "gh"), `#!/bin/sh\n[ "$2" = list ] && echo "${open}"\necho "$@" >> ${join(at, "calls")}\n`);
    chmodSync(join(at, "gh"), 0o755);
    const steps = propose?.steps.flatMap(({ run }) => run ?? []) ?? [];
    const env = {
      ...{ PATH: `${at}${delimiter}${process.env.PATH}`, GH_TOKEN: "t", REPOSITORY: "owner/hearth" },
      ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: `url.${remote}.insteadOf` },
      GIT_CONFIG_VALUE_0: "https://x-access-token:t@github.com/owner/hearth.git",
    };
    await execa("bash", ["-eo", "pipefail", "-c", steps.join("\n")], { cwd: clone, env });
    const pushed = await execa("git", ["show", "--stat", "--format=%s", "releases"], { cwd: remote, reject: false });
    const calls = existsSync(join(at, "calls")) ? readFileSync(join(at, "calls"), "utf8").trim().split("\n") : [];
    return { pushed: pushed.stdout, calls: calls.slice(1) };
  }
  const change = async (clone: string) => {
    writeFileSync(join(clone, "table"), "new\n");
    const { stdout } = await execa("git", ["diff", "--binary"], { cwd: clone, stripFinalNewline: false });
    await execa("git", ["checkout", "--quiet", "table"], { cwd: clone });
    return stdout;
  };

  it("is made by a job that may write and runs nothing of the repository, of what a job found that may not", () => {
    expect(ask?.permissions).toBeUndefined();
    expect(propose?.permissions).toEqual({ contents: "write", "pull-requests": "write" });
    expect(JSON.stringify(propose)).not.toMatch(/npm |node |\.\/hearth/);
    const asking = ask?.steps.flatMap(({ run = "" }) => run.split("\n")) ?? [];
    expect(asking.indexOf("npm run generate")).toBeGreaterThan(
      asking.findIndex((line) => line.includes("tools/releases.ts")),
    );
  });

  it("has the changes alone, with the report as its text", async () => {
    const { pushed, calls } = await proposed("new", change, "");
    expect(pushed).toMatch(/^The table of releases is what publishers say\n\n table \| 2 \+-\n 1 file changed/);
    expect(calls).toEqual([expect.stringMatching(/^pr create --head releases .* --body-file changes\/report\.md$/)]);
  });

  it("that is open already is brought up to date", async () => {
    const { calls } = await proposed("open", change, "7");
    expect(calls).toEqual(["pr edit 7 --body-file changes/report.md"]);
  });

  it("is not made where nothing changed", async () => {
    expect(await proposed("none", async () => "", "")).toEqual({ pushed: "", calls: [] });
  });
});
