import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { raised, versionedFiles } from "../../tools/raise-version.ts";
import { releaseNotes } from "../../tools/release-notes.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const { on, jobs } = parse(read(".github/workflows/release.yml"));
const stepsOf = (job: string): { uses?: string; run?: string; with?: Record<string, string> }[] => jobs[job].steps;

describe("a release", () => {
  it("starts from a tag of a version alone", () => {
    expect(on).toEqual({ push: { tags: ["v[0-9]+.[0-9]+.[0-9]+"] } });
  });

  it("is written by a job that runs nothing of the repository, and holds no token of the registry", () => {
    const actions = stepsOf("publish").flatMap(({ uses }) => (uses === undefined ? [] : [uses.split("@")[0]]));
    expect(actions).not.toContain("actions/checkout");
    expect(stepsOf("publish").some(({ run = "" }) => /npm (ci|install|run|test)|node /.test(run))).toBe(false);
    expect(JSON.stringify(jobs)).not.toContain("secrets.");
    expect(jobs.build.permissions).toBeUndefined();
  });

  it("signs where the packages come from and what is in them, before they are published", () => {
    const steps = stepsOf("publish").map(({ uses = "", run = "", with: given = {} }) => [
      uses.split("@")[0],
      /npm publish|gh release/.exec(run)?.[0],
      given["sbom-path"],
    ]);
    const order = steps.flatMap(([uses, run, sbom]) =>
      uses === "actions/attest" ? [sbom ?? "provenance"] : run === undefined ? [] : [run],
    );
    expect(order).toEqual(["provenance", "hearth.cdx.json", "policy.cdx.json", "npm publish", "gh release"]);
  });
});

it("the site of a release is deployed once it is published, by a job that runs nothing of the repository", () => {
  expect(stepsOf("build").some(({ run }) => run === "npm run site")).toBe(true);
  expect(jobs.site.needs).toBe("publish");
  expect(stepsOf("site").map(({ uses = "", run }) => [uses.split("@")[0], run])).toEqual([
    ["actions/deploy-pages", undefined],
  ]);
});

describe("the version", () => {
  const { version, workspaces } = JSON.parse(read("package.json"));
  const changelog = `# Changelog\n\n## Unreleased\n\n- new\n\n## ${version} - 2026-11-25\n\n- old\n`;
  /** Versions of the project that a file names: its own, and those of packages of the project that it asks for. */
  const named = (text: string) =>
    [...text.matchAll(/"(?:version|@hearth-platform\/[\w-]+)": "([\d.]+)"|hearth-platform-\w+-([\d.]+)\.tgz/g)].map(
      ([, own, archive]) => own ?? archive,
    );
  const alone = versionedFiles.filter((file) => !["package-lock.json", "CHANGELOG.md", "README.md"].includes(file));
  const lockOf = (text: string) =>
    Object.entries<{ version?: string; dependencies?: object }>(JSON.parse(text).packages)
      .filter(([place]) => !place.includes("node_modules/"))
      .flatMap(([, { version: own, dependencies = {} }]) => [
        own,
        ...Object.entries(dependencies).flatMap(([name, asked]) => (name.startsWith("@hearth-platform/") ? asked : [])),
      ]);

  it("is one: in every package of the checkout and what they ask of one another, the packs, the template, the pages", () => {
    expect(alone).toEqual(
      expect.arrayContaining([
        ...workspaces.map((workspace: string) => `${workspace}/package.json`),
        ...["policy/limits/package.json", "policy/baseline/package.json", "examples/template/package.json"],
      ]),
    );
    for (const file of alone) expect([file, new Set(named(read(file)))]).toEqual([file, new Set([version])]);
    expect(new Set(lockOf(read("package-lock.json")))).toEqual(new Set([version]));
    expect(read("README.md")).toContain(`this project, version ${version.replace(/\.\d+$/, "")} `);
  });

  it("is raised everywhere at once, and the packages of others keep theirs", () => {
    for (const file of alone) {
      const after = raised(file, read(file), version, "9.8.7", "2030-01-01");
      expect([file, new Set(named(after))]).toEqual([file, new Set(["9.8.7"])]);
    }
    expect(raised("README.md", read("README.md"), version, "9.8.7", "")).toContain("this project, version 9.8 ");
    const lock = read("package-lock.json");
    const after = raised("package-lock.json", lock, version, "9.8.7", "2030-01-01");
    expect(new Set(lockOf(after))).toEqual(new Set(["9.8.7"]));
    expect(raised("package-lock.json", after, "9.8.7", "9.8.8", "").replaceAll("9.8.8", version)).toBe(lock);
  });

  it("gets the notes that were unreleased, and its day", () => {
    const after = raised("CHANGELOG.md", changelog, version, "9.8.7", "2030-01-01");
    expect(releaseNotes(after, "9.8.7")).toBe("- new");
    expect(releaseNotes(after, version)).toBe("- old");
    expect(after).toContain("## Unreleased\n\n## 9.8.7 - 2030-01-01\n");
    expect(() => raised("CHANGELOG.md", after, "9.8.7", "9.8.8", "2030-01-02")).toThrow("there is nothing to release");
  });

  it.each(["", "1.0", "v99.0.0", "0.1.0", version])("is not raised to %o", (to) => {
    expect(() => raised("package.json", "", version, to, "2030-01-01")).toThrow(
      `Name a version X.Y.Z after ${version}`,
    );
  });
});

describe("the notes of a release", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n- a\n\n## 0.1.0 - 2026-08-01\n\n- b\n";

  it("are the section of its version", () => {
    expect(releaseNotes(changelog, "0.2.0")).toBe("### Added\n- a");
    expect(releaseNotes(changelog, "0.1.0")).toBe("- b");
  });

  it.each(["0.3.0", "0.2", "Unreleased"])("are refused for %s, of which the changelog says nothing", (version) => {
    expect(() => releaseNotes(changelog, version)).toThrow(`CHANGELOG.md has no notes of ${version}.`);
  });
});

it("renovate finds the images of the table of releases, each with the version that is deployed", () => {
  const { customManagers } = JSON.parse(read("renovate.json"));
  const [manager] = customManagers;
  const pattern = new RegExp(manager.matchStrings[0], "g");
  const found = [...read("components/catalogue/releases.ts").matchAll(pattern)].map(
    ({ groups }) => groups?.currentValue,
  );
  const { harbor, nextcloud, valkey, redisExporter, collabora, whiteboard, notifyPush, rclone, node } = programs;
  expect(found).toEqual(
    [harbor, nextcloud, valkey, redisExporter, collabora, whiteboard, notifyPush, rclone, node].map(
      ({ deployed }) => deployed,
    ),
  );
});
