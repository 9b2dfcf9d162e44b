import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { hubChanges } from "@hearth-platform/hearth/hub/changes";
import { describe, expect, it } from "vitest";
import { completeHub } from "./hub.ts";

const to = (change: Partial<HubArgs>) => ({ ...completeHub, ...change });
const problemsOf = (now: HubArgs, before: HubArgs = completeHub) => hubChanges(before, now);
const existing = (name: string) => ({
  platform: { ...completeHub.platform, secrets: { existing: { "hub-encryption-key": name } } },
});

describe("a running hub", () => {
  it.each<[setting: string, change: Partial<HubArgs>]>([
    ["its domain", { domain: "images.example.org" }],
    ["a patch", { version: "2.14.4" }],
    ["two minors", { version: "2.16.0" }],
    ["pods", { replicas: { core: 3 } }],
    ["projects and robots", { projects: [], robots: [] }],
    [
      "the group of administrators",
      { signOn: { ...(completeHub.signOn as never as object), adminGroup: "x" } as never },
    ],
  ])("may change %s", (_, change) => {
    expect(problemsOf(to(change))).toEqual([]);
  });

  it.each<[setting: string, change: Partial<HubArgs>, code: string, unlock: string]>([
    ["its namespace", { namespace: "other" }, "data-left-behind", "platform/hub-core"],
    ["its database", { database: { ...completeHub.database, database: "x" } }, "data-left-behind", "platform/hub-core"],
    ["its bucket", { bucket: "other" }, "data-left-behind", completeHub.bucket],
    ["the key of its database", existing("other"), "data-left-behind", "platform/hub-encryption-key"],
    ["who signs users on", { signOn: undefined }, "sign-on-changes", "platform/hub-core"],
    ["to an older version", { version: "2.13.2" }, "version-downgrade", "platform/hub-core"],
  ])("may not change %s, unless the loss is allowed", (_, change, code, unlock) => {
    const now = to(change);
    expect(problemsOf(now)).toMatchObject([{ code, remedy: expect.stringContaining(`[${unlock}]`) }]);
    expect(problemsOf({ ...now, platform: { ...now.platform, allowDataLoss: [unlock] } })).toEqual([]);
  });

  it("may not skip more than a minor, and is told the way", () => {
    expect(problemsOf(to({ version: "2.14.3" }), to({ version: "2.10.1" }))).toMatchObject([
      { code: "upgrade-path", remedy: expect.stringContaining("2.10.1 → 2.12 → 2.14.3") },
    ]);
  });

  it("is taken for the version that was the default when a state says none", () => {
    const unnamed = { ...completeHub, version: undefined };
    expect(problemsOf(to({ version: "2.14.2" }), unnamed)).toMatchObject([{ code: "version-downgrade" }]);
    expect(problemsOf(unnamed, unnamed)).toEqual([]);
  });

  const cache = { kind: "harbor", url: "https://h.example.org" };
  it.each<[change: string, project: NonNullable<HubArgs["projects"]>[number]]>([
    ["make a project a cache", { name: "apps", proxyCache: cache }],
    ["make a cache a project of its own images", { name: "docker" }],
    ["make a cache one of another kind", { name: "docker", proxyCache: cache }],
  ])("can't %s", (_, project) => {
    expect(problemsOf(to({ projects: [project], robots: [] }))).toMatchObject([
      { code: "proxy-cache-changes", path: "projects[0].proxyCache" },
    ]);
  });

  it("may reach a cache's registry by another URL and user", () => {
    const proxyCache = { kind: "docker-hub", url: "https://mirror.example.org" };
    expect(problemsOf(to({ projects: [{ name: "docker", proxyCache }] }))).toEqual([]);
  });
});
