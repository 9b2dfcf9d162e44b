import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
    const { status: done, stdout } = await render("--stack", "dev", "--out", "out", "--json");
    expect(done).toBe(0);
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

  describe("in a folder to which others can commit", () => {
    let elsewhere = "";
    beforeEach(async () => {
      elsewhere = mkdtempSync(join(tmpdir(), "hearth-elsewhere-"));
      writeFileSync(join(elsewhere, "key"), "secret");
      await render("--stack", "dev", "--out", "out");
    });
    afterEach(() => rmSync(elsewhere, { recursive: true }));
    const list = () => join(folder, "out/.rendered");
    const alsoRendered = (path: string) => writeFileSync(list(), `${readFileSync(list(), "utf8")}${path}\n`);

    it.each<[string, string, () => void]>([
      [
        "a folder that is listed files' parent",
        "out/stray",
        () => {
          symlinkSync(elsewhere, join(folder, "out/stray"));
          alsoRendered("stray/key");
        },
      ],
      [
        "a parent further up",
        "out/a/stray",
        () => {
          mkdirSync(join(elsewhere, "b"));
          renameSync(join(elsewhere, "key"), join(elsewhere, "b/key"));
          mkdirSync(join(folder, "out/a"));
          symlinkSync(elsewhere, join(folder, "out/a/stray"));
          alsoRendered("a/stray/b/key");
        },
      ],
      [
        "a file that is written again",
        "out/team/namespace-team.yaml",
        () => {
          rmSync(join(folder, "out/team/namespace-team.yaml"));
          symlinkSync(join(elsewhere, "key"), join(folder, "out/team/namespace-team.yaml"));
        },
      ],
      [
        "a file that would be new and is not there yet",
        "out/team/namespace-team.yaml",
        () => {
          rmSync(join(folder, "out/team/namespace-team.yaml"));
          symlinkSync(join(elsewhere, "absent"), join(folder, "out/team/namespace-team.yaml"));
        },
      ],
      [
        "the list itself",
        "out/.rendered",
        () => {
          renameSync(list(), join(elsewhere, "list"));
          symlinkSync(join(elsewhere, "list"), list());
        },
      ],
      [
        "the folder",
        "out",
        () => {
          renameSync(join(folder, "out"), join(elsewhere, "out"));
          symlinkSync(join(elsewhere, "out"), join(folder, "out"));
        },
      ],
    ])("follows no symbolic link: %s", async (_, link, plant) => {
      plant();
      const before = content(elsewhere);
      const { status, stderr } = await render("--stack", "prod", "--out", "out");
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${join(folder, link)} is a symbolic link`)]);
      expect(content(elsewhere)).toEqual(before);
      expect(existsSync(join(folder, "out/team"))).toBe(true);
    });

    it("follows none between the current folder and the one it writes", async () => {
      symlinkSync(elsewhere, join(folder, "deploy"));
      const { status, stderr } = await render("--stack", "dev", "--out", "deploy/dev");
      expect([status, stderr]).toEqual([2, expect.stringContaining(`${join(folder, "deploy")} is a symbolic link`)]);
      expect(content(elsewhere)).toEqual({ key: "secret" });
    });

    it("deletes no hidden file that the list names, such as git's own", async () => {
      mkdirSync(join(folder, "out/.git"));
      writeFileSync(join(folder, "out/.git/HEAD"), "ref");
      alsoRendered(".git/HEAD");
      expect(await render("--stack", "prod", "--out", "out")).toMatchObject({ status: 0 });
      expect(readFileSync(join(folder, "out/.git/HEAD"), "utf8")).toBe("ref");
    });
  });

  it("says that --out names a file", async () => {
    writeFileSync(join(folder, "all.yaml"), "mine");
    const { status, stderr } = await render("--stack", "dev", "--out", "all.yaml");
    expect([status, stderr]).toEqual([2, expect.stringContaining(`${join(folder, "all.yaml")} is a file`)]);
    expect(content()).toEqual({ "all.yaml": "mine" });
    const below = await render("--stack", "dev", "--out", "all.yaml/dev");
    expect([below.status, below.stderr]).toEqual([2, expect.stringContaining("all.yaml is a file")]);
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
