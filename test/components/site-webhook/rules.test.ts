import type { SiteWebhookArgs } from "@hearth-platform/hearth/site-webhook/args";
import { siteWebhookChanges } from "@hearth-platform/hearth/site-webhook/changes";
import { siteWebhookProblems } from "@hearth-platform/hearth/site-webhook/rules";
import { describe, expect, test } from "vitest";
import { webhook } from "./webhook.ts";

const site = { namespace: "pages", name: "docs", spec: '{"repo":"https://forge.example.org/team/docs.git"}' };

describe("the site webhook's arguments", () => {
  test("have no problem when they are sound", () => expect(siteWebhookProblems(webhook)).toEqual([]));

  test("are warned of a Gateway, which has no word for their limits, and told what still guards it", () => {
    const byGateway = {
      ...webhook,
      platform: { ...webhook.platform, ingress: { clusterIssuer: "x", kind: "gateway" } },
    };
    expect(siteWebhookProblems(byGateway)).toEqual([
      expect.objectContaining({
        severity: "warning",
        code: "ingress-limits",
        path: "platform.ingress.kind",
        message: expect.stringContaining("The webhook's own limits"),
      }),
    ]);
    expect(siteWebhookProblems({ ...byGateway, enabled: false })).toEqual([]);
  });

  test.each<[string, Partial<SiteWebhookArgs>, string]>([
    ["no domain", { domain: undefined }, "required domain"],
    ["no image", { image: undefined }, "required image"],
    ["a domain with a scheme", { domain: "https://sync.example.org" }, "host-name domain"],
    ["an image without a registry", { image: "site-webhook:1" }, "image image"],
    ["an image without a tag", { image: "registry.example.org:5000/site-webhook" }, "image image"],
    ["an image that moves", { image: "registry.example.org/site-webhook:latest" }, "image image"],
    ["a group with upper case", { staticSites: { group: "Pages.kup6s.com" } }, "resource-name staticSites.group"],
    [
      "an annotation as domain",
      { staticSites: { annotationDomain: "a.org/sync" } },
      "resource-name staticSites.annotationDomain",
    ],
    ["no namespace at all", { namespaces: [], sites: [] }, "namespaces-empty namespaces"],
    ["a site twice", { sites: [site, site] }, "shared sites[1]"],
    [
      "a site beside the webhook",
      { sites: [{ ...site, namespace: "site-webhook" }], namespaces: undefined },
      "shared sites[0].namespace",
    ],
    ["a site out of reach", { sites: [{ ...site, namespace: "other" }] }, "site-out-of-reach sites[0].namespace"],
    ["a site's name that is too long", { sites: [{ ...site, name: "a".repeat(254) }] }, "site-name sites[0].name"],
    ["a site in upper case", { sites: [{ ...site, name: "Docs" }] }, "site-name sites[0].name"],
    ["an interval without unit", { sites: [{ ...site, syncInterval: "5" }] }, "sync-interval sites[0].syncInterval"],
    ["an interval of nothing", { sites: [{ ...site, syncInterval: "0s" }] }, "sync-interval sites[0].syncInterval"],
    ["a spec that is a list", { sites: [{ ...site, spec: "[]" }] }, "site-spec sites[0].spec"],
    [
      "an interval in the spec",
      { sites: [{ ...site, spec: '{"repo":"https://x","syncInterval":"1m"}' }] },
      "site-spec sites[0].spec",
    ],
    ["no repository", { sites: [{ ...site, spec: undefined }] }, "required sites[0].spec"],
    ["an existing namespace of no site", { existingNamespaces: ["other"] }, "unused existingNamespaces[0]"],
    ["a limit of nothing", { limits: { burst: 0 } }, "limit limits.burst"],
  ])("are refused for %s", (_, change, expected) => {
    expect(siteWebhookProblems({ ...webhook, ...change }).map(({ code, path }) => `${code} ${path}`)).toEqual([
      expected,
    ]);
  });
});

describe("changes", () => {
  test("of the domain, the image and the interval are no loss", () => {
    expect(siteWebhookChanges(webhook, { ...webhook, domain: "other.example.org", enabled: false })).toEqual([]);
  });

  test("that delete a namespace with its sites are refused, with the unlock", () => {
    const now = { ...webhook, sites: [] };
    expect(siteWebhookChanges(webhook, now)[0]?.remedy).toContain("`platform.allowDataLoss: [pages]`");
    const unlocked = { ...now, platform: { ...now.platform, allowDataLoss: ["pages"] } };
    expect(siteWebhookChanges(webhook, unlocked)).toEqual([]);
  });

  test("to another resource delete each site of the former", () => {
    const now = { ...webhook, staticSites: { group: "sites.example.org" } };
    expect(siteWebhookChanges(webhook, now).map(({ path }) => path)).toEqual(["staticSites", "staticSites"]);
  });
});
