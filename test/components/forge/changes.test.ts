import { forgeChanges } from "@hearth-platform/hearth/forge/changes";
import { upgradePath } from "@hearth-platform/hearth/forge/versions";
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
  ])("from %s to %s, with downtime %s", (before, now, downtime, path) => {
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
    expect(problem?.remedy).toContain("With `downtime: true` fewer: 18.2 → 18.5 → 18.6.0");
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
    [
      "platform.secrets.existing.forge-rails-secrets",
      { platform: { ...platform, secrets: { existing: { "forge-rails-secrets": "other" } } } },
      "platform/forge-rails-secrets",
    ],
  ])("%s", (path, change, object) => {
    const now = { ...completeForge, ...change };
    const problems = forgeChanges(completeForge, now);
    expect(problems.map((problem) => problem.path)).toEqual([path]);
    expect(problems[0]?.remedy).toContain(`\`hearth:allowDataLoss: [${object}]\``);
    const unlocked = { ...now, platform: { ...now.platform, allowDataLoss: [object] } };
    expect(forgeChanges(completeForge, unlocked)).toEqual([]);
  });

  test("the domain, a larger volume and other replicas are none", () => {
    const now = { ...completeForge, domain: "code.example.org", repositorySize: "100Gi", replicas: { webservice: 3 } };
    expect(forgeChanges(completeForge, now)).toEqual([]);
  });
});
