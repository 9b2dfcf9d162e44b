import { siteWebhookChanges } from "@hearth-platform/hearth/site-webhook/changes";
import { describe, expect, test } from "vitest";
import { webhook } from "./webhook.ts";

type Args = Parameters<typeof siteWebhookChanges>[0];
const site = (namespace: string) => ({ namespace, name: "docs" });
const before: Args = { ...webhook, sites: [site("pages"), site("team")] };
const codes = (now: object, was: object = {}) =>
  siteWebhookChanges({ ...before, ...was }, { ...before, ...now }).map(({ path, severity }) => `${severity} ${path}`);

describe("a change of the site webhook's sites", () => {
  test("that leaves each namespace a site loses nothing", () => {
    expect(codes({ sites: [site("team"), site("pages"), site("more")] })).toEqual([]);
  });

  test("that leaves a namespace none would delete it, and is refused unless that may be lost", () => {
    expect(codes({ sites: [site("pages")] })).toEqual(["error sites"]);
    const platform = { ...before.platform, allowDataLoss: ["team"] };
    expect(codes({ sites: [site("pages")], platform })).toEqual([]);
  });

  test("in a namespace that others made loses nothing", () => {
    expect(codes({ sites: [site("pages")] }, { existingNamespaces: ["team"] })).toEqual([]);
  });

  test("to another resource would delete them all, and is refused for each", () => {
    for (const staticSites of [{ group: "sites.example.org" }, { version: "v2" }])
      expect(codes({ staticSites })).toEqual(["error staticSites", "error staticSites"]);
  });
});
