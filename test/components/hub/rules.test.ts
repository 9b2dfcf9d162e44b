import { checkArguments } from "@hearth-platform/hearth/core/arguments";
import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { hubProblems } from "@hearth-platform/hearth/hub/rules";
import { hub } from "@hearth-platform/hearth/hub/schema";
import { resourceSpec } from "@hearth-platform/hearth/kubernetes/resources";
import { describe, expect, it, test } from "vitest";
import { completeHub, minimalHub } from "./hub.ts";

const problemsOf = (change: Partial<HubArgs>) =>
  checkArguments(hub, { ...completeHub, ...change }, hubProblems).map(({ code, path }) => `${code} ${path}`);
const signOn = completeHub.signOn as NonNullable<HubArgs["signOn"]>;
const project = (rest: object) => ({ projects: [{ name: "apps", ...rest }] });

describe("a hub's arguments", () => {
  it.each([completeHub, minimalHub])("without problem have none", (args) => {
    expect(hubProblems(args)).toEqual([]);
  });

  it("are warned of a Gateway, which has no word for the limits of the token endpoint", () => {
    const { platform } = completeHub;
    const byGateway = {
      ...completeHub,
      platform: { ...platform, ingress: { clusterIssuer: "x", kind: "gateway" as const } },
    };
    expect(hubProblems(byGateway)).toEqual([
      expect.objectContaining({ severity: "warning", code: "ingress-limits", path: "platform.ingress.kind" }),
    ]);
  });

  it.each<[mistake: string, change: Partial<HubArgs>, problem: string]>([
    ["a tag for a version", { version: "v2.14.3-build" }, "hub-version version"],
    ["a version of unknown configuration", { version: "2.9.0" }, "hub-version version"],
    ["a host with a scheme", { domain: "https://hub.example.org" }, "host-name domain"],
    [
      "another region than the endpoint's",
      { objectStore: { ...completeHub.objectStore, region: "nbg1" } },
      "region-location objectStore.region",
    ],
    ["an issuer by http", { signOn: { ...signOn, issuer: "http://forge.example.org" } }, "issuer signOn.issuer"],
    [
      "a schedule without seconds",
      { garbageCollection: { schedule: "0 3 * * 0" } },
      "schedule garbageCollection.schedule",
    ],
    [
      "seconds other than 0",
      { garbageCollection: { schedule: "30 0 3 * * 0" } },
      "schedule garbageCollection.schedule",
    ],
    ["seconds of each kind", { garbageCollection: { schedule: "* 0 3 * * 0" } }, "schedule garbageCollection.schedule"],
    ["the hour 25", { garbageCollection: { schedule: "0 0 25 * * *" } }, "schedule garbageCollection.schedule"],
    ["a seventh day", { garbageCollection: { schedule: "0 0 3 * * 7" } }, "schedule garbageCollection.schedule"],
    [
      "a month of no name in a project's schedule",
      project({ retention: { schedule: "0 0 3 1 june *", rules: [{ latestPushed: 1 }] } }),
      "schedule projects[0].retention.schedule",
    ],
    ["a quota beyond the hub's", { storageQuota: "1025Ti" }, "quota storageQuota"],
    ["a project's quota beyond the hub's", project({ storageQuota: "2Pi" }), "quota projects[0].storageQuota"],
    ["a quota in powers of ten", { storageQuota: "100GB" }, "size storageQuota"],
    [
      "a project in upper case",
      { ...project({}), projects: [{ name: "Apps" }], robots: [] },
      "project-name projects[0].name",
    ],
    [
      "retention that keeps nothing",
      project({ retention: { rules: [] } }),
      "retention-rules projects[0].retention.rules",
    ],
    [
      "a retention rule with two counts",
      project({ retention: { rules: [{ latestPushed: 1, pulledWithinDays: 2 }] } }),
      "retention-rules projects[0].retention.rules[0]",
    ],
    [
      "a retention rule that is there already, its defaults written out",
      project({ retention: { rules: [{ latestPushed: 1 }, { tags: "**", repositories: "**", latestPushed: 1 }] } }),
      "retention-rules projects[0].retention.rules[1]",
    ],
    [
      "more retention rules than the hub takes",
      project({ retention: { rules: Array.from({ length: 16 }, (_, index) => ({ latestPushed: index + 1 })) } }),
      "retention-rules projects[0].retention.rules",
    ],
    [
      "a cache whose registry's name would be too long",
      {
        projects: [{ name: "c".repeat(65), proxyCache: { kind: "harbor", url: "https://h.example.org" } }],
        robots: [],
      },
      "project-name projects[0].name",
    ],
    [
      "a cache's URL with a query, which the hub drops",
      { ...project({ proxyCache: { kind: "harbor", url: "https://h.example.org/?a=b" } }), robots: [] },
      "proxy-cache-url projects[0].proxyCache.url",
    ],
    [
      "a cache's URL without a scheme",
      { ...project({ proxyCache: { kind: "harbor", url: "h.example.org" } }), robots: [] },
      "proxy-cache-url projects[0].proxyCache.url",
    ],
    [
      "a cache of an unknown kind",
      project({ proxyCache: { kind: "dockerhub", url: "https://hub.docker.com" } }),
      "value projects[0].proxyCache.kind",
    ],
    [
      "a user without a password",
      { ...project({ proxyCache: { kind: "harbor", url: "https://h.example.org", user: "u" } }), robots: [] },
      "proxy-cache-user projects[0].proxyCache.password",
    ],
    [
      "a robot without its project",
      { robots: [{ name: "ci", projects: ["app"] }] },
      "robot-projects robots[0].projects[0]",
    ],
    [
      "a robot that pushes into a cache",
      { robots: [{ name: "ci", projects: ["docker"], access: "push" }] },
      "robot-pushes-cache robots[0].projects[0]",
    ],
    [
      "too little memory for one push, as a warning",
      { resources: { registry: resourceSpec("100m", "128Mi", "1000m", "256Mi") } },
      "registry-memory resources.registry.limits.memory",
    ],
    ["no core pod", { replicas: { core: 0 } }, "value replicas.core"],
    ["the registry past core, as a warning", { registryRoute: "registry" }, "registry-route registryRoute"],
  ])("with %s are refused, and for nothing else", (_, change, problem) => {
    expect(
      problemsOf(change).filter((found) => found !== "robot-pushes-cache robots[0].projects[0]" || found === problem),
    ).toEqual([problem]);
  });
});

it.each(["0 0 3 * * 0", " 0 */15 1-5,22 ? JAN-mar Mon-FRI ", "0 5/10 0 1 1 *", "0 0 0 1,15 * *"])(
  "the schedule %s is one of the hub",
  (schedule) => {
    expect(problemsOf({ garbageCollection: { schedule } })).toEqual([]);
  },
);

test("what the hub takes to its last is taken: 15 rules, 64 characters of a cache, 1024Ti", () => {
  const rules = Array.from({ length: 15 }, (_, index) => ({ latestPushed: index + 1 }));
  const proxyCache = { kind: "harbor", url: "https://h.example.org/path/" };
  const projects = [
    { name: "apps", retention: { rules }, storageQuota: "1024Ti" },
    { name: "c".repeat(64), proxyCache },
    { name: "p".repeat(255) },
  ];
  expect(problemsOf({ projects })).toEqual([]);
});

test("a password in a cache's URL is refused without being shown", () => {
  const proxyCache = { kind: "harbor", url: "https://me:never-shown@h.example.org" };
  const problems = hubProblems({ ...completeHub, projects: [{ name: "apps", proxyCache }], robots: [] });
  expect(problems).toMatchObject([{ code: "proxy-cache-url" }]);
  expect(JSON.stringify(problems)).not.toContain("never-shown");
});

test("an issuer with a final slash, which some providers have, is a warning that names the document to compare with", () => {
  const slashed = { ...completeHub, signOn: { ...signOn, issuer: `${signOn.issuer}/` } };
  expect(hubProblems(slashed)).toMatchObject([
    {
      code: "issuer-slash",
      severity: "warning",
      remedy: expect.stringContaining("https://forge.example.org/.well-known/openid-configuration"),
    },
  ]);
});
