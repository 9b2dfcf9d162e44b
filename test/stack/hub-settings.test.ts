import { programs } from "@hearth-platform/hearth/catalogue/releases";
import { valueProblems, withFit } from "@hearth-platform/hearth/core/arguments";
import { knownHub } from "@hearth-platform/stack/areas/hub/settings";
import { stackRules } from "@hearth-platform/stack/areas/rules";
import { stackParts, stackPlans } from "@hearth-platform/stack/parts";
import { StackSettings } from "@hearth-platform/stack/settings/stack-schema";
import type { Deployment } from "kubernetes-types/apps/v1.d.ts";
import type { Job } from "kubernetes-types/batch/v1.d.ts";
import { describe, expect, it } from "vitest";

const key = { name: "sso", key: "id" };
const base: StackSettings = {
  profile: "production",
  ingress: { clusterIssuer: "letsencrypt-prod" },
  domain: "example.org",
  objectStorage: { endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1", bucketSuffix: "a1b2" },
  secrets: { store: { name: "store" } },
  forge: {},
  hub: {},
  siteWebhook: { enabled: false, repository: "registry.example.org/hearth/site-webhook" },
};
const provider = { with: "provider", issuer: "https://sso.example.org", clientId: key, clientSecret: key } as const;
const problemsOf = (change: Partial<StackSettings>) => {
  const settings = { ...base, ...change };
  const problems = withFit(valueProblems(StackSettings, settings), stackRules, settings);
  return problems.map(({ code, path }) => `${code} ${path}`);
};

it.each<[stack: string, change: Partial<StackSettings>]>([
  ["with a forge", {}],
  ["without a forge", { forge: undefined }],
  ["without a forge, signed on by a provider", { forge: undefined, hub: { signOn: provider } }],
  ["with a forge and accounts of its own", { hub: { signOn: { with: "local" } } }],
])("a hub %s has no problem", (_, change) => {
  expect(problemsOf(change)).toEqual([]);
});

it.each<[mistake: string, change: Partial<StackSettings>, problems: string[]]>([
  [
    "the forge's sign-on without a forge",
    { forge: undefined, hub: { signOn: { with: "forge" } } },
    ["sign-on hub.signOn.with"],
  ],
  [
    "a provider without its client",
    { hub: { signOn: { with: "provider", issuer: "https://sso.example.org" } } },
    ["required hub.signOn.clientId", "required hub.signOn.clientSecret"],
  ],
  [
    "the forge's sign-on with another issuer",
    { hub: { signOn: { with: "forge", issuer: "https://sso.example.org" } } },
    ["sign-on hub.signOn.issuer"],
  ],
  [
    "a bucket in another region than the endpoint",
    { objectStorage: { ...base.objectStorage, region: "nbg1" } },
    ["region-location objectStorage.region"],
  ],
  [
    "network policies beside a forge, whose option they are",
    { hub: { networkPolicies: true } },
    ["network-policies hub.networkPolicies"],
  ],
  [
    "no object store",
    { forge: undefined, objectStorage: undefined },
    ["required objectStorage.endpoint", "required objectStorage.region", "required objectStorage.bucketSuffix"],
  ],
])("a hub with %s is refused", (_, change, problems) => {
  expect(problemsOf(change)).toEqual(problems);
});

it.each([
  ["the forge's option beside a forge, which denies all else", { forge: { networkPolicies: true } }, true, undefined],
  ["none beside a forge without", {}, undefined, undefined],
  ["the hub's own without a forge, all else denied", { forge: undefined, hub: { networkPolicies: true } }, true, true],
])("network policies are %s", (_, change, policies, denied) => {
  const settings: StackSettings = { ...base, ...change };
  const { networkPolicies, defaultDeny } = knownHub(settings, settings.hub ?? {});
  expect([networkPolicies, defaultDeny]).toEqual([policies, denied]);
});

it("asks the stack's forge for no offline_access, which a forge refuses", () => {
  expect(knownHub(base, {}).signOn?.scopes).toEqual(["openid", "profile", "email"]);
  expect(knownHub(base, { signOn: { with: "forge", scopes: ["openid"] } }).signOn?.scopes).toEqual(["openid"]);
});

describe("a stack with a hub alone", () => {
  const settingsOf = (hub: StackSettings["hub"]): StackSettings => ({
    ...base,
    forge: undefined,
    hub,
    secrets: { store: { name: "vault" }, generate: true },
  });
  const plansOf = (hub: StackSettings["hub"]) => stackPlans({ settings: settingsOf(hub), suites: [] });
  const objectsOf = (hub: StackSettings["hub"]) =>
    plansOf(hub).flatMap(({ objects }) => objects.map(({ object }) => object));
  const core = (hub: StackSettings["hub"]) => {
    const found = objectsOf(hub).find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "hub-core");
    const env = (found as unknown as Deployment).spec?.template.spec?.containers[0]?.env ?? [];
    return new Map(env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom?.secretKeyRef]));
  };

  it("has no part of a forge: its Jobs run on the hub's own images and one that may be chosen", () => {
    const jobs = (hub: StackSettings["hub"]) =>
      objectsOf(hub)
        .filter(({ kind }) => kind === "Job")
        .map((job) => (job as unknown as Job).spec?.template.spec?.containers[0]?.image);
    expect(jobs({})).toEqual([
      `docker.io/goharbor/harbor-core:v${programs.harbor.deployed}`,
      `docker.io/library/node:${programs.node.deployed}`,
    ]);
    expect(jobs({ jobImage: "registry.example.org/node:24" })[1]).toBe("registry.example.org/node:24");
    expect(JSON.stringify(plansOf({}))).not.toMatch(/gitlab/i);
  });

  it("makes only the buckets of the images and of the database's backups", () => {
    const buckets = plansOf({}).flatMap(({ buckets }) => buckets.map(({ bucket }) => bucket));
    expect(buckets).toEqual(["registry-a1b2-platform", "db-backups-a1b2-platform"]);
  });

  it("has accounts of its own, or those of another provider by that provider's client", () => {
    expect(core({}).get("CONFIG_OVERWRITE_JSON")).toContain('"auth_mode":"db_auth"');
    expect(core({}).has("OIDC_CLIENT_ID")).toBe(false);
    const signedOn = core({ signOn: provider });
    expect(signedOn.get("CONFIG_OVERWRITE_JSON")).toContain('"oidc_endpoint":"https://sso.example.org"');
    expect(signedOn.get("CONFIG_OVERWRITE_JSON")).toContain('"oidc_name":"sso.example.org"');
    expect(signedOn.get("OIDC_CLIENT_SECRET")).toEqual(key);
  });

  it("asks a provider for a refresh token too, by which CLI secrets outlive the access token, unless the scopes are written", () => {
    expect(core({ signOn: provider }).get("CONFIG_OVERWRITE_JSON")).toContain(
      '"oidc_scope":"openid,profile,email,offline_access"',
    );
    const written = core({ signOn: { ...provider, scopes: ["openid", "email"] } });
    expect(written.get("CONFIG_OVERWRITE_JSON")).toContain('"oidc_scope":"openid,email"');
  });
});

describe("registry login with tokens of the forge", () => {
  const here = { enabled: false, repository: "hub.example.org/hearth/site-webhook" };
  const ready = { enabled: false, image: "registry.example.org/hearth/site-webhook:1.0.0" };
  const off = { enabled: false };
  type Case = [stack: string, change: Partial<StackSettings>, on: boolean, problems: string[]];

  it.each<Case>([
    ["that names a repository", {}, true, []],
    ["that names a ready image", { siteWebhook: ready }, true, []],
    ["that wants none", { hub: { forgeTokens: false } }, false, []],
    ["without an image", { siteWebhook: off }, false, ["warning hub.forgeTokens"]],
    ["without an image that wants none", { siteWebhook: undefined, hub: { forgeTokens: false } }, false, []],
    [
      "without an image that wants it",
      { siteWebhook: off, hub: { forgeTokens: true } },
      false,
      ["error hub.forgeTokens"],
    ],
    ["whose image is in the hub", { siteWebhook: here }, false, ["warning hub.forgeTokens"]],
    [
      "whose image is in the hub and that wants it",
      { siteWebhook: here, hub: { forgeTokens: true } },
      true,
      ["error hub.forgeTokens"],
    ],
    ["with accounts of its own", { hub: { signOn: { with: "local" } } }, false, []],
    ["with a provider", { hub: { signOn: provider, forgeTokens: true } }, false, ["error hub.forgeTokens"]],
    ["without a forge", { forge: undefined, hub: { forgeTokens: true } }, false, ["error hub.forgeTokens"]],
    ["whose registry is reached without core", { hub: { registryRoute: "registry" } }, false, []],
    [
      "whose registry is reached without core and that wants it",
      { hub: { registryRoute: "registry", forgeTokens: true } },
      true,
      ["error hub.forgeTokens"],
    ],
  ])("of a stack %s", (_, change, on, problems) => {
    const settings = { ...base, ...change };
    expect("forgeTokens" in knownHub(settings, settings.hub ?? {})).toBe(on);
    const found = withFit(valueProblems(StackSettings, settings), stackRules, settings);
    expect(
      found.filter(({ code }) => code === "forge-tokens").map(({ severity, path }) => `${severity} ${path}`),
    ).toEqual(problems);
  });

  const imagesOf = (change: Partial<StackSettings>) => {
    const settings = { ...base, ...change };
    const parts = stackParts({ settings, suites: [] });
    const argsOf = (wanted: string) =>
      parts.find(({ kind }) => kind === wanted)?.args as
        | { image?: string; forgeTokens?: { image: string } }
        | undefined;
    return [argsOf("serviceImage")?.image, argsOf("hub")?.forgeTokens?.image, argsOf("siteWebhook")?.image];
  };

  it("is by the image of the webhook, built once for both, and built where one of them runs", () => {
    const webhook = { enabled: true, domain: "sync.example.org", repository: "registry.example.org/a/b" };
    const [built, ...run] = imagesOf({ siteWebhook: webhook });
    expect(built).toMatch(/^registry\.example\.org\/a\/b:[0-9a-f]{16}$/);
    expect(run).toEqual([built, built]);
    const [alone, hub] = imagesOf({});
    expect(alone).toMatch(/site-webhook:[0-9a-f]{16}$/);
    expect(hub).toBe(alone);
    expect(imagesOf({ hub: { forgeTokens: false } })).toEqual([undefined, undefined, undefined]);
    expect(imagesOf({ siteWebhook: ready })).toEqual([undefined, ready.image, ready.image]);
  });
});
