import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderObjects } from "@hearth-platform/stack/delivery/objects";
import { stackPlans } from "@hearth-platform/stack/parts";
import { sourceFromFile } from "@hearth-platform/stack/settings/stack-source";
import { checkStack } from "@hearth-platform/stack/stack-settings";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { hearth } from "../../support/caller.ts";

const project = join(import.meta.dirname, "../../..");
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-render-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const render = (...args: string[]) => hearth(folder, "render", ...args);

/** Every file below the folder with its content. */
function content(root = folder): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(root, path)).isFile(),
  );
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function objectsOf(stack: string): Map<string, string> {
  const { source } = sourceFromFile(project, stack);
  const checked = source && checkStack(project, source);
  if (!checked?.stack) throw new Error(`stack ${stack} has problems`);
  return renderObjects(stackPlans(checked.stack));
}

describe("hearth render", () => {
  it("writes one object a file, in the folder of its namespace, and nothing to standard output", async () => {
    const { status, stdout, stderr } = await render("--stack", "dev", "--out", folder);
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/^\d+ objects of stack dev are in /m);
    const files = Object.entries(content()).filter(([path]) => path.endsWith(".yaml"));
    expect(files.length).toBeGreaterThan(20);
    for (const [path, text] of files) {
      expect(parseAllDocuments(text)).toHaveLength(1);
      const { kind, metadata } = parse(text);
      const folder = kind === "Namespace" ? metadata.name : (metadata.namespace ?? "_cluster");
      expect(path).toBe(`${folder}/${kind.toLowerCase()}-${metadata.name}.yaml`);
    }
  });

  it("writes the same bytes as a process in another time zone and language", async () => {
    await render("--stack", "prod", "--out", folder);
    const first = content();
    const { status } = spawnSync(
      process.execPath,
      [join(project, "cli/main.mjs"), "render", "--stack", "prod", "--out", folder],
      // No cluster, no credentials, no home: none is needed.
      { cwd: project, env: { PATH: process.env.PATH, TZ: "Pacific/Auckland", LC_ALL: "tr_TR.UTF-8" } },
    );
    expect(status).toBe(0);
    expect(content()).toEqual(first);
  });

  it("tells programs which files it wrote, or the problems with their places", async () => {
    const { stdout } = await render("--stack", "dev", "--out", "out", "--json");
    const { files, ...told } = JSON.parse(stdout);
    expect(told).toEqual({ stack: "dev", folder: join(folder, "out"), problems: [] });
    expect(files).toContain("team/namespace-team.yaml");
    const { status, stdout: refusal } = await render("--stack", "absent", "--out", "out", "--json");
    expect([status, JSON.parse(refusal)]).toMatchObject([1, { stack: "absent", problems: [{ severity: "error" }] }]);
  });

  it("takes away what it wrote before and the stack no longer has", async () => {
    await render("--stack", "dev", "--out", folder);
    expect(existsSync(join(folder, "team"))).toBe(true);
    expect(await render("--stack", "prod", "--out", folder)).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, "team"))).toBe(false);
  });

  it.each([
    ["no stack", ["--out", "x"]],
    ["no folder", ["--stack", "dev"]],
    ["an unknown option", ["--stack", "dev", "--out", "x", "--force"]],
    ["a stack that is a path", ["--stack", "../dev", "--out", "x"]],
  ])("ends with 2 for %s", async (_, args) => {
    const { status, stdout, stderr } = await render(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--help");
  });

  it("ends with 1 and the report for a stack that is not there, and writes nothing", async () => {
    const { status, stdout, stderr } = await render("--stack", "absent", "--out", folder);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/Pulumi\.absent\.yaml does not exist[\s\S]*dev, prod/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves a folder alone that holds something else", async () => {
    writeFileSync(join(folder, "mine.txt"), "mine");
    const { status, stderr } = await render("--stack", "dev", "--out", folder);
    expect(status).toBe(2);
    expect(stderr).toContain("mine.txt");
    expect(content()).toEqual({ "mine.txt": "mine" });
  });

  it("explains itself", async () => {
    const { status, stdout } = await render("--help");
    expect(status).toBe(0);
    expect(stdout).toContain("--stack <STACK>");
  });
});

describe("a rendered stack", () => {
  it("has its files in the order of their paths", () => {
    const paths = [...objectsOf("prod").keys()];
    expect(paths).toEqual([...paths].sort());
  });

  it("shows no value of a generated Secret", () => {
    const secrets = [...objectsOf("dev").values()].map((text) => parse(text)).filter(({ kind }) => kind === "Secret");
    expect(secrets.length).toBeGreaterThan(0);
    const values = secrets.flatMap(({ stringData }) => Object.entries(stringData));
    expect(values).toContainEqual(["password", "(generated)"]);
    const secret = values.filter(([key]) => /(password|secret|key)$/i.test(key));
    expect(secret.filter(([, value]) => value !== "(generated)")).toEqual([]);
    // What the API server reads itself keeps its form.
    const [, docker = ""] = values.find(([key]) => key === ".dockerconfigjson") ?? [];
    expect(JSON.parse(docker as string)).toMatchObject({ auths: { "hub.example.org": { password: "(generated)" } } });
  });

  it("quotes words that kubectl would read as true or false", () => {
    const object = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", namespace: "b" },
      data: { a: "on", b: "no" },
    };
    const files = renderObjects([{ secrets: [], buckets: [], objects: [{ object }] }]);
    expect(files.get("b/configmap-a.yaml")).toContain('a: "on"\n  b: "no"');
  });

  it("refuses two objects of one name", () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" } };
    const plan = { secrets: [], buckets: [], objects: [{ object }] };
    expect(() => renderObjects([plan, plan])).toThrow("b/configmap-a.yaml");
  });
});
