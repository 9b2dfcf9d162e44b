import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaults, tiers } from "@hearth-platform/cli/init/answers";
import { configText, versions } from "@hearth-platform/cli/init/config-text";
import { synthesize } from "@hearth-platform/cli/validate/synthesis";
import { Profile } from "@hearth-platform/hearth/core/platform-args";
import { storageClasses } from "@hearth-platform/hearth/limits/sets";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { check } from "../../stack/suite-file.ts";
import { hearth } from "../../support/caller.ts";

const project = join(import.meta.dirname, "../../..");

/** Every value of each option. */
const choices = {
  size: tiers,
  storage: Object.values(storageClasses),
  location: ["fsn1", "nbg1", "hel1"],
  profile: Object.values(Profile),
  office: ["--office", "--no-office"],
  whiteboard: ["--whiteboard", "--no-whiteboard"],
};

const combinations = Object.entries(choices).reduce<string[][]>(
  (rows, [option, values]) =>
    rows.flatMap((row) =>
      values.map((value) => [...row, ...(value.startsWith("--") ? [value] : [`--${option}`, value])]),
    ),
  [[]],
);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hearth-init-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => hearth(folder, "init", ...args);

describe("a new config.yaml", () => {
  it("is without a warning at the most its size is for, for every combination of options", async () => {
    expect(combinations).toHaveLength(3 * 2 * 3 * 2 * 2 * 2);
    for (const [index, options] of combinations.entries()) {
      const { status, stdout } = await run("team", ...options, "--yes", "--json", "--out", `${index}.yaml`);
      expect([status, JSON.parse(stdout).problems], options.join(" ")).toEqual([0, []]);
    }
  });

  it("stands in suites/ of the folder that the caller is in, where that is outside the checkout", async () => {
    const { status, stdout } = await run("team", "--yes", "--json");
    expect([status, JSON.parse(stdout).file]).toEqual([0, join(folder, "suites/team/config.yaml")]);
  });

  it("stands in suites/ of the checkout, called from anywhere in it", async () => {
    const { status, stderr } = await hearth(join(project, "docs"), "init", "example", "--yes");
    expect(status).toBe(1);
    expect(stderr).toContain("../suites/example/config.yaml exists already");
  });

  it("has manifests in each size", () => {
    for (const size of tiers) {
      const { config } = check(configText({ ...defaults("team"), size }, "schema.json"));
      expect(config && synthesize(config, {}).length).toBeGreaterThan(20);
    }
  });

  it("says what was asked for", async () => {
    const args = [
      "ops",
      "--domain",
      "ops.example.net",
      "--size",
      "large",
      "--storage",
      "smb-csi",
      "--location",
      "hel1",
    ];
    const more = ["--no-office", "--profile", "development", "--suffix", "x1"];
    expect(await run(...args, ...more, "--out", "config.yaml")).toMatchObject({ status: 0 });
    expect(parse(readFileSync(join(folder, "config.yaml"), "utf8"))).toMatchObject({
      namespace: "ops",
      domain: "ops.example.net",
      versions: { db: "16", whiteboard: expect.any(String) },
      s3: {
        endpoint: "https://hel1.your-objectstorage.com",
        region: "hel1",
        buckets: { data: "data-ops-x1", backups: "backups-ops-x1" },
      },
      storage: { storageClass: "smb-csi", dbSize: "50Gi", keystoreSize: "5Gi" },
      resources: { cloudsuite: { requests: { cpu: "1000m", memory: "2Gi" }, limits: { cpu: "4000m", memory: "8Gi" } } },
      replicas: { cloudsuite: 3, db: 1, keystore: 1 },
      office: { enabled: false },
      whiteboard: { enabled: true },
    });
  });

  it("has a comment in every block, and the versions of the example", () => {
    const text = configText(defaults("team"), "schema.json");
    for (const block of text.split("\n\n").slice(0, -1)) expect(block).toContain("# ");
    expect(parse(readFileSync(join(project, "suites/example/config.yaml"), "utf8")).versions).toEqual(versions);
  });

  it("gets bucket names of its own each time", () => {
    expect(defaults("team").suffix).not.toBe(defaults("team").suffix);
  });
});

describe("hearth init", () => {
  it("writes a file that its editor can check, and says how to go on", async () => {
    const { status, stderr } = await run("team", "--yes", "--out", "suites/team/config.yaml");
    const file = join(folder, "suites/team/config.yaml");
    expect(status).toBe(0);
    expect(stderr).toContain("./hearth validate suites/team/config.yaml");
    const schema = /\$schema=(.+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    expect(existsSync(join(dirname(file), schema))).toBe(true);
  });

  it("leaves a file alone that is there", async () => {
    await run("team", "--yes", "--out", "config.yaml");
    const before = readFileSync(join(folder, "config.yaml"), "utf8");
    const { status, stderr } = await run("other", "--yes", "--out", "config.yaml");
    expect([status, stderr]).toEqual([1, expect.stringContaining("exists already")]);
    expect(readFileSync(join(folder, "config.yaml"), "utf8")).toBe(before);
  });

  it("writes nothing that has a problem, and tells it", async () => {
    const { status, stderr } = await run("team", "--domain", "https://team.example.org", "--out", "config.yaml");
    expect([status, stderr]).toEqual([1, expect.stringContaining("host-name")]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["no name", ["--yes"]],
    ["two names", ["a", "b", "--yes"]],
    ["a name that is no namespace", ["Team", "--yes"]],
    ["a reserved name", ["kube-team", "--yes"]],
    ["an unknown size", ["team", "--size", "huge", "--yes"]],
    ["an unknown option", ["team", "--force", "--yes"]],
    ["no domain and no one to ask", ["team"]],
  ])("ends with 2 for %s, and writes nothing", async (_, args) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--help");
  });

  it("is a process with its status", () => {
    const args = ["init", "--out", "config.yaml"];
    const { status, stdout, stderr } = spawnSync(join(project, "hearth"), args, { encoding: "utf8", cwd: folder });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Name the suite, or a stack with --stack.");
  });

  it("explains itself", async () => {
    expect(await run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("--size <SIZE>") });
  });
});
