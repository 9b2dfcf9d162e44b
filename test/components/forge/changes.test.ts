import { recordedBy } from "@hearth-platform/hearth/core/data-safety/refusals";
import { forgeChanges } from "@hearth-platform/hearth/forge/changes";
import { forgeComponent } from "@hearth-platform/hearth/forge/component";
import { defaultVersion, upgradePath } from "@hearth-platform/hearth/forge/versions";
import { describe, expect, test } from "vitest";
import { completeForge } from "./forge.ts";

const at = (version: string, settings: Partial<typeof completeForge> = {}) => ({
  ...completeForge,
  version,
  shellVersion: "14.45.3",
  ...settings,
});
const codes = (...change: Parameters<typeof forgeChanges>) => forgeChanges(...change).map(({ code }) => code);

describe("the way from one version to another", () => {
  test.each([
    ["18.5.2", "18.5.3", false, ["18.5.3"]],
    ["18.5.2", "18.6.0", false, ["18.6.0"]],
    ["18.5.2", "18.8.1", false, ["18.6", "18.7", "18.8.1"]],
    ["18.5.2", "18.8.1", true, ["18.8.1"]],
    ["18.2.0", "18.9.1", true, ["18.5", "18.8", "18.9.1"]],
    ["18.5.2", "18.5.2", false, []],
    ["18.11.11", "19.0.8", false, ["19.0.8"]],
    ["18.11.11", "19.2.4", false, ["19.0", "19.1", "19.2.4"]],
    ["18.11.11", "19.2.4", true, ["19.2.4"]],
    ["18.10.8", "19.0.8", true, ["18.11", "19.0.8"]],
    ["18.7.0", "19.3.0", true, ["18.8", "18.11", "19.2", "19.3.0"]],
    ["19.0.8", "18.11.11", false, []],
  ])("from %s to %s, with downtime %s, stops where GitLab requires it", (before, now, downtime, path) => {
    expect(upgradePath(before, now, downtime)).toEqual(path);
  });
});

describe("an upgrade", () => {
  test("of a patch or one minor goes on while the forge runs", () => {
    expect(codes(at("18.5.2"), at("18.5.3"))).toEqual([]);
    expect(codes(at("18.5.2"), at("18.6.0"))).toEqual([]);
  });

  test("from a state that says no version starts at what was the default then", () => {
    const [problem] = forgeChanges({ ...completeForge, version: undefined }, at("18.11.10"));
    expect(problem).toMatchObject({ code: "version-downgrade", message: expect.stringContaining("18.11.11") });
  });

  test("of several minors is refused with both ways", () => {
    const [problem, ...more] = forgeChanges(at("18.2.0"), at("18.6.0"));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({ code: "upgrade-path", path: "version" });
    expect(problem?.remedy).toContain("18.2 → 18.3 → 18.4 → 18.5 → 18.6.0");
    expect(problem?.remedy).toContain("With `downtime: true` fewer steps are enough: 18.2 → 18.5 → 18.6.0");
  });

  test("with downtime is refused past a required stop", () => {
    const [problem] = forgeChanges(at("18.2.0", { maintenance: true }), at("18.8.0", { downtime: true }));
    expect(problem?.remedy).toContain("18.2 → 18.5 → 18.8.0");
  });

  test("with downtime skips minors only when no old pods run", () => {
    const jump = { downtime: true };
    expect(codes(at("18.6.0"), at("18.8.0", jump))).toEqual(["upgrade-running"]);
    expect(codes(at("18.6.0", { maintenance: true }), at("18.8.0", jump))).toEqual([]);
  });

  test("to something older is refused", () => {
    expect(codes(at("18.5.2"), at("18.5.1"))).toEqual(["version-downgrade"]);
    expect(codes(at("18.5.2"), at("18.4.9"))).toEqual(["version-downgrade"]);
  });
});

describe("forge 19 and PostgreSQL 17", () => {
  const on = (version: string, databaseVersion: string, settings: Partial<typeof completeForge> = {}) =>
    at(version, { databaseVersion, ...settings });

  test("come one after the other: the database under 18.11, then the forge", () => {
    expect(codes(on("18.11.11", "16"), on("18.11.11", "17"))).toEqual([]);
    expect(codes(on("18.11.11", "17"), on("19.0.8", "17"))).toEqual([]);
  });

  test("are refused at once, with the order", () => {
    const [problem, ...more] = forgeChanges(on("18.11.11", "16"), on("19.0.8", "17"));
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      code: "upgrade-database",
      path: "version",
      message: "goes from 18.11.11 to 19.0.8, which needs PostgreSQL 17, but the database still runs 16.",
      remedy: "Keep 18.11.11, set the database to 17 and run `up`. Set 19.0.8 afterwards.",
    });
  });

  test("are refused before 18.11, with the way", () => {
    const [problem] = forgeChanges(on("18.10.8", "17"), on("19.0.8", "17"));
    expect(problem).toMatchObject({ code: "upgrade-path" });
    expect(problem?.remedy).toContain("18.10 → 18.11 → 19.0.8");
  });

  test("with downtime go to the first required stop of 19 when no old pods run", () => {
    const jump = { downtime: true };
    expect(codes(on("18.11.11", "17"), on("19.2.4", "17", jump))).toEqual(["upgrade-running"]);
    expect(codes(on("18.11.11", "17", { maintenance: true }), on("19.2.4", "17", jump))).toEqual([]);
    expect(codes(on("18.11.11", "17", { maintenance: true }), on("19.3.0", "17", jump))).toEqual(["upgrade-path"]);
  });

  test("are followed by 18 only under a forge that runs on it", () => {
    expect(codes(on("19.2.4", "17"), on("19.3.0", "18"))).toEqual(["upgrade-database"]);
    expect(codes(on("19.3.0", "17"), on("19.3.0", "18"))).toEqual([]);
  });

  test("can't be left again for 18", () => {
    expect(codes(on("19.0.8", "17"), on("18.11.11", "17"))).toEqual(["version-downgrade"]);
  });
});

describe("a newer default", () => {
  const { version: _, ...unnamed } = completeForge;
  const now = recordedBy(forgeComponent, { ...unnamed, databaseVersion: "17" });

  test("is no wish for an upgrade that a preview would refuse: the refusal has the line that keeps the version", () => {
    for (const before of [at("18.11.11"), { ...completeForge, version: undefined }, at("19.2.4")]) {
      const [problem, ...more] = forgeChanges(before, now);
      expect(more).toEqual([]);
      expect(problem).toMatchObject({ code: "upgrade-unasked", path: "version" });
      expect(problem?.remedy).toContain(`Write \`version: ${before.version ?? "18.11.11"}\`, which keeps it.`);
    }
  });

  test("is taken where one step leads to it, and a version that is named is told of every step", () => {
    expect(codes(at("19.3.0", { databaseVersion: "17" }), now)).toEqual([]);
    expect(codes(at("18.11.11", { databaseVersion: "17" }), at(defaultVersion, { databaseVersion: "17" }))).toEqual([
      "upgrade-path",
    ]);
  });
});

/** What a change of a setting comes to where data is at stake. */
describe("a change that would lose data is refused, and its unlock is printed", () => {
  const { platform } = completeForge;
  test.each([
    ["bucketSuffix", { bucketSuffix: "c3d4" }, "uploads-a1b2-platform"],
    [
      "objectStore.endpoint",
      { objectStore: { ...completeForge.objectStore, endpoint: "https://nbg1.example.org" } },
      "uploads-a1b2-platform",
    ],
    ["namespace", { namespace: "other" }, "platform/data-forge-gitstore-0"],
    ["database", { database: { ...completeForge.database, host: "db.example.org" } }, "platform/forge-db"],
    ["repositorySize", { repositorySize: "10Gi" }, "platform/data-forge-gitstore-0"],
    ["repositoryClass", { repositoryClass: "longhorn" }, "platform/data-forge-gitstore-0"],
    [
      "platform.secrets.existing.forge-rails-secrets",
      { platform: { ...platform, secrets: { existing: { "forge-rails-secrets": "other" } } } },
      "platform/forge-rails-secrets",
    ],
  ])("%s", (path, change, object) => {
    const now = { ...completeForge, ...change };
    const problems = forgeChanges(completeForge, now);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.remedy).toContain(`\`platform.allowDataLoss: [${object}]\``);
    const unlocked = { ...now, platform: { ...now.platform, allowDataLoss: [object] } };
    expect(forgeChanges(completeForge, unlocked)).toEqual([]);
  });

  test("the domain, a larger volume and other replicas are none", () => {
    const now = { ...completeForge, domain: "code.example.org", repositorySize: "100Gi", replicas: { webservice: 3 } };
    expect(forgeChanges(completeForge, now)).toEqual([]);
  });
});
