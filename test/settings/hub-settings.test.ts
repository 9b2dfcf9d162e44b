import { expect, it } from "vitest";
import { hubSettingsFaults } from "../../settings/hub-rules.ts";
import { knownHub } from "../../settings/hub-settings.ts";
import type { StackSettings } from "../../settings/stack-schema.ts";

const key = { name: "sso", key: "id" };
const base: StackSettings = {
  profile: "production",
  ingress: { clusterIssuer: "letsencrypt-prod" },
  domain: "example.org",
  objectStorage: { endpoint: "https://fsn1.your-objectstorage.com", region: "fsn1", bucketSuffix: "a1b2" },
  forge: {},
  hub: {},
};
const provider = { with: "provider", issuer: "https://sso.example.org", clientId: key, clientSecret: key } as const;
const faultsOf = (change: Partial<StackSettings>) =>
  hubSettingsFaults({ ...base, ...change }).map(({ code, path }) => `${code} ${path}`);

it.each<[stack: string, change: Partial<StackSettings>]>([
  ["with a forge", {}],
  ["without a forge", { forge: undefined }],
  ["without a forge, signed on by a provider", { forge: undefined, hub: { signOn: provider } }],
  ["with a forge and accounts of its own", { hub: { signOn: { with: "local" } } }],
])("a hub %s has no fault", (_, change) => {
  expect(faultsOf(change)).toEqual([]);
});

it.each<[mistake: string, change: Partial<StackSettings>, faults: string[]]>([
  [
    "the forge's sign-on without a forge",
    { forge: undefined, hub: { signOn: { with: "forge" } } },
    ["sign-on hub.signOn.with"],
  ],
  ["the forge's host", { hub: { domain: "forge.example.org" } }, ["shared hub.domain"]],
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
])("a hub with %s is refused", (_, change, faults) => {
  expect(faultsOf(change)).toEqual(faults);
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
