import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { readVersions, type Versions, versionText } from "@hearth-platform/cli/version/command";
import { execa } from "execa";
import { afterAll, expect, test } from "vitest";
import { hearth } from "../../support/caller.ts";

/** `hearth version`, in folders that git knows and in one that it does not. */

const folder = mkdtempSync(join(tmpdir(), "hearth-version-"));
const programs = mkdtempSync(join(tmpdir(), "hearth-programs-"));
afterAll(() => {
  for (const each of [folder, programs]) rmSync(each, { recursive: true });
});

const withPulumi = { ...process.env, PATH: [programs, process.env.PATH].join(delimiter) };
writeFileSync(join(programs, "pulumi"), "#!/bin/sh\n[ $1 = version ] && echo v3.1.2\n", { mode: 0o755 });

async function git(...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.org"];
  return (await execa("git", [...identity, ...args], { cwd: folder })).stdout;
}

test("versions are those of hearth, Node.js, Pulumi and its SDK, without a commit where git knows none", async () => {
  expect(await readVersions(folder, withPulumi)).toEqual({
    hearth: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    pulumiSdk: expect.stringMatching(/^3\.\d+\.\d+$/),
    pulumi: "3.1.2",
  });
});

test("a checkout has its commit, and whether its files are those of the commit", async () => {
  await git("init", "--quiet");
  writeFileSync(join(folder, "file"), "one");
  await git("add", ".");
  await git("commit", "--quiet", "--message=One");
  const commit = await git("rev-parse", "HEAD");
  const { changed, ...first } = await readVersions(folder, withPulumi);
  expect([commit.startsWith(first.commit ?? "none"), changed]).toEqual([true, false]);
  writeFileSync(join(folder, "file"), "two");
  expect(await readVersions(folder, withPulumi)).toMatchObject({ changed: true });
});

const versions: Versions = { hearth: "1.2.3", node: "24.1.0", pulumiSdk: "3.4.5" };

test.each<[string, Partial<Versions>, string]>([
  ["a release", { pulumi: "3.4.6" }, "hearth 1.2.3\nNode.js 24.1.0\nPulumi's SDK 3.4.5\nPulumi 3.4.6\n"],
  [
    "a checkout that was changed, without Pulumi",
    { commit: "abc", changed: true },
    "hearth 1.2.3 (commit abc, with changes)\nNode.js 24.1.0\nPulumi's SDK 3.4.5\nPulumi: none on PATH\n",
  ],
])("%s is told a line each", (_, more, text) => {
  expect(versionText({ ...versions, ...more })).toBe(text);
});

test("the command prints it, or JSON", async () => {
  const { stdout } = await hearth(folder, "version", "--json");
  expect((await hearth(folder, "version")).stdout).toBe(versionText(JSON.parse(stdout)));
});
