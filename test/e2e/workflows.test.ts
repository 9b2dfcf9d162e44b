import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { buildPackage } from "../../tools/package.ts";
import { buildPolicyPackage } from "../../tools/policy-package.ts";

const folder = join(import.meta.dirname, "../../.github/workflows");
const scratch = mkdtempSync(join(tmpdir(), "hearth-workflows-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The linter of GitHub's workflow files, built from its source. @returns what it has to say; empty: nothing */
async function actionlint(...files: string[]): Promise<string> {
  const linter = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
  const { stdout, stderr, exitCode } = await execa("go", ["run", linter, "-no-color", "-oneline", ...files], {
    reject: false,
  });
  // `go run` itself ends with 1 whatever the program ended with.
  if (exitCode !== 0 && stdout === "") throw new Error(stderr);
  return stdout;
}

it("actionlint has nothing to say about the workflows", async () => {
  const files = readdirSync(folder).map((file) => join(folder, file));
  expect(files.length).toBeGreaterThan(1);
  expect(await actionlint(...files)).toBe("");
});

it("actionlint finds what would fail on GitHub alone", async () => {
  const text = readFileSync(join(folder, "pull-request.yml"), "utf8");
  const broken = join(scratch, "broken.yml");
  writeFileSync(broken, text.replaceAll("matrix.stack", "matrix.stak").replace("needs: gate", "needs: gates"));
  const said = await actionlint(broken);
  expect(said).toContain('property "stak" is not defined');
  expect(said).toContain('needs job "gates" which does not exist');
});

it("a release has bills of materials with every dependency of each package", async () => {
  const { jobs } = parse(readFileSync(join(folder, "release.yml"), "utf8"));
  const step = jobs.build.steps.find(({ name }: { name?: string }) => name === "Bills of materials");
  await buildPackage(join(scratch, "components/dist"));
  await buildPolicyPackage(join(scratch, "policy/dist"));
  mkdirSync(join(scratch, "release"));
  const env = { GITHUB_WORKSPACE: scratch };
  await execa("bash", ["-eo", "pipefail", "-c", step.run], { cwd: scratch, env });
  const hearth = billOf("hearth", "components");
  expect(Object.keys({ ...hearth.dependencies, ...hearth.peerDependencies }).length).toBeGreaterThan(5);
  for (const [name, version] of Object.entries(hearth.dependencies))
    expect(hearth.listed).toContain(`${name} ${version}`);
  // Their versions are those of the day: whoever takes the package chooses them.
  expect(hearth.names).toEqual(expect.arrayContaining(Object.keys(hearth.peerDependencies)));
  // So are those of the policies, which name ranges.
  const policy = billOf("policy", "policy");
  expect(Object.keys(policy.dependencies).length).toBeGreaterThan(1);
  expect(policy.names).toEqual(expect.arrayContaining(Object.keys(policy.dependencies)));
});

/** A bill as the release has it, and what the package in `source` says that it needs. */
function billOf(bill: string, source: string) {
  const read = (file: string) => JSON.parse(readFileSync(join(scratch, file), "utf8"));
  const { bomFormat, components } = read(`release/${bill}.cdx.json`);
  expect(bomFormat).toBe("CycloneDX");
  const { dependencies, peerDependencies = {} } = read(`${source}/dist/package.json`);
  return {
    listed: components.map(({ name, version }: { name: string; version: string }) => `${name} ${version}`),
    names: components.map(({ name }: { name: string }) => name),
    dependencies,
    peerDependencies,
  };
}

it("a release has a bill of materials with what hearth's own image holds, and nothing of its tools", async () => {
  const { jobs } = parse(readFileSync(join(folder, "release.yml"), "utf8"));
  const step = jobs.build.steps.find(({ name }: { name?: string }) => name === "Bill of materials of the image");
  const file = join(scratch, "image.cdx.json");
  await execa("bash", ["-eo", "pipefail", "-c", step.run.replace("release/service-image.cdx.json", file)], {
    cwd: join(import.meta.dirname, "../.."),
  });
  const { components } = JSON.parse(readFileSync(file, "utf8"));
  const listed = components.map(({ name }: { name: string }) => name);
  expect(listed).toEqual(expect.arrayContaining(["@hono/node-server", "hono"]));
  expect(listed).not.toContain("esbuild");
});
