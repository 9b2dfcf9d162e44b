import { readFileSync } from "node:fs";
import { join } from "node:path";
import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
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

  it("signs where the package comes from and what is in it, before it is published", () => {
    const steps = stepsOf("publish").map(({ uses = "", run = "", with: given = {} }) => [
      uses.split("@")[0],
      run.split(" ").slice(0, 2).join(" "),
      given["sbom-path"],
    ]);
    const order = steps.flatMap(([uses, run, sbom]) =>
      uses === "actions/attest" ? [sbom ?? "provenance"] : run === "npm publish" || run === "gh release" ? [run] : [],
    );
    expect(order).toEqual(["provenance", "hearth.cdx.json", "npm publish", "gh release"]);
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
  const { harbor, nextcloud, valkey, collabora, whiteboard, rclone, node } = programs;
  expect(found).toEqual(
    [harbor, nextcloud, valkey, collabora, whiteboard, rclone, node].map(({ deployed }) => deployed),
  );
});
