import { SettingsError } from "@hearth-platform/site-webhook/environment";
import { readSettings } from "@hearth-platform/site-webhook/settings";
import { readSignInSettings } from "@hearth-platform/site-webhook/sign-in/settings";
import { expect, test } from "vitest";

const pod = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings(environment);
  } catch (fault) {
    if (fault instanceof SettingsError) return fault.faults;
    throw fault;
  }
  return [];
}

test("a pod's own environment is enough", () => {
  expect(readSettings(pod)).toMatchObject({
    port: 8080,
    operationsPort: 9090,
    api: {
      host: "10.96.0.1",
      port: 443,
      group: "pages.kup6s.com",
      version: "v1beta1",
      plural: "staticsites",
      annotationDomain: "pages.kup6s.com",
    },
    serviceAccountFolder: "/var/run/secrets/kubernetes.io/serviceaccount",
    namespaces: undefined,
    secretFile: undefined,
    writes: { perSecond: 20, burst: 40, inFlight: 8, waiting: 256 },
    drainSeconds: 5,
  });
});

test("a benchmark may lift the budget of writes, and nobody else does by chance", () => {
  const asked = { API_WRITES_PER_SECOND: "7", API_WRITES_BURST: "9" };
  expect(readSettings({ ...pod, ...asked, LIFT_BUDGETS: "false" }).writes).toMatchObject({ perSecond: 7, burst: 9 });
  const { perSecond, burst, waiting } = readSettings({ ...pod, ...asked, LIFT_BUDGETS: "true" }).writes;
  for (const each of [perSecond, burst, waiting]) expect(each).toBeGreaterThanOrEqual(1e6);
});

test("every fault is told at once, with the variable, its value and what it must be", () => {
  const faults = faultsOf({
    KUBERNETES_SERVICE_HOST: "a b",
    WEBHOOK_PORT: "80x",
    OPERATIONS_PORT: "70000",
    STATIC_SITE_GROUP: "pages/x",
    STATIC_SITE_VERSION: "1",
    STATIC_SITE_PLURAL: "static-sites",
    ANNOTATION_DOMAIN: "Pages",
    WEBHOOK_NAMESPACES: "a,B",
    API_WRITES_PER_SECOND: "0",
    DRAIN_SECONDS: "-1",
    LIFT_BUDGETS: "yes",
  });
  for (const name of [
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
    "WEBHOOK_PORT",
    "OPERATIONS_PORT",
    "STATIC_SITE_GROUP",
    "STATIC_SITE_VERSION",
    "STATIC_SITE_PLURAL",
    "ANNOTATION_DOMAIN",
    "WEBHOOK_NAMESPACES",
    "API_WRITES_PER_SECOND",
    "DRAIN_SECONDS",
    "LIFT_BUDGETS",
  ]) {
    expect(faults.filter((fault) => fault.startsWith(name))).toHaveLength(1);
  }
  expect(faults).toHaveLength(12);
  expect(faults).toContain('WEBHOOK_PORT is "80x"; it must be a whole number from 0 to 65535.');
});

test("namespaces are separated by commas; blanks around them do not matter", () => {
  expect(readSettings({ ...pod, WEBHOOK_NAMESPACES: "docs, blog" }).namespaces).toEqual(new Set(["docs", "blog"]));
});

const adapter = {
  CORE_URL: "http://hub-core:8080",
  FORGE_URL: "http://forge-webservice:8181",
  FORGE_ISSUER: "https://forge.example.org",
  HUB_URL: "https://hub.example.org",
  HUB_ADMINISTRATOR: "admin",
  HUB_PASSWORD_FILE: "/run/password",
  TRUSTED_PROXIES: "10.0.0.0/8,fd00::/8,192.0.2.1",
};

test("the sign-in adapter's settings are its environment's; its ports have defaults", () => {
  expect(readSignInSettings(adapter)).toEqual({
    ...{ host: undefined, port: 8080, operationsPort: 9090, drainSeconds: 5 },
    ...{ core: new URL(adapter.CORE_URL), forge: new URL(adapter.FORGE_URL) },
    trustedProxies: ["10.0.0.0/8", "fd00::/8", "192.0.2.1"],
    ...{ issuer: adapter.FORGE_ISSUER, hub: adapter.HUB_URL, administrator: "admin", passwordFile: "/run/password" },
  });
});

test.each(["CORE_URL", "FORGE_URL", "FORGE_ISSUER", "HUB_URL"])(
  "%s is an address of http and a host, and nothing behind it",
  (name) => {
    for (const wrong of ["hub", "ftp://hub", "https://hub/", "https://hub/path", "https://a@hub", "https://hub?x", ""])
      expect(() => readSignInSettings({ ...adapter, [name]: wrong }), wrong).toThrow(name);
  },
);

test("proxies are addresses or ranges", () => {
  expect(readSignInSettings({ ...adapter, TRUSTED_PROXIES: undefined }).trustedProxies).toEqual([]);
  const single = ["192.0.2.1/32", "fd00::1/128", "0.0.0.0/0"];
  const { trustedProxies } = readSignInSettings({ ...adapter, TRUSTED_PROXIES: single.join(",") });
  expect(trustedProxies).toEqual(single);
  for (const wrong of ["proxy", "10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/8, ::1"])
    expect(() => readSignInSettings({ ...adapter, TRUSTED_PROXIES: wrong }), wrong).toThrow("TRUSTED_PROXIES");
});

test.each(["", undefined])("an empty variable is as good as none (%j)", (value) => {
  expect(readSettings({ ...pod, WEBHOOK_PORT: value, WEBHOOK_NAMESPACES: value }).port).toBe(8080);
});
