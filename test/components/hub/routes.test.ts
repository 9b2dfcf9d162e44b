import type { HubArgs } from "@hearth-platform/hearth/hub/args";
import { routeObjects } from "@hearth-platform/hearth/hub/routes";
import { expect, test } from "vitest";
import { type Route, routedTo } from "../../support/traefik-rules.ts";

const args = {
  namespace: "forge",
  domain: "hub.example.org",
  platform: { ingress: { className: "traefik" } },
} as unknown as HubArgs;

/** The routes of HTTPS. */
function routes(extra: Partial<HubArgs> = {}): Route[] {
  const found = routeObjects({ ...args, ...extra }).map(
    ({ object }) => object as unknown as { kind: string; spec: { routes?: Route[]; tls?: object } },
  );
  return found.filter(({ kind, spec }) => kind === "IngressRoute" && spec.tls).flatMap(({ spec }) => spec.routes ?? []);
}

test.each([
  ["/", "hub-portal"],
  ["/index.html", "hub-portal"],
  ["/harbor/projects", "hub-portal"],
  ["/api/v2.0/systeminfo", "hub-core"],
  ["/api/v2.0/health", "hub-core"],
  ["/api/v2.0/projects/a%252Fb", "hub-core"],
  ["/apiary", "hub-portal"],
  ["/api/internals", "hub-core"],
  ["/api/v2.0/configurations", "hub-core"],
  ["/service/token", "hub-core"],
  ["/service/token?service=harbor-registry&scope=repository:a/b:pull", "hub-core"],
  ["/service/%74oken", "hub-core"],
  ["/service/token/more", "hub-portal"],
  ["/service/notifications", "hub-portal"],
  ["/service/notifications/tasks/1", "hub-portal"],
  ["/service/token/../notifications", "hub-portal"],
  ["/service", "hub-portal"],
  ["/v2", "hub-core"],
  ["/v2/", "hub-core"],
  ["//v2/", "hub-core"],
  ["/v2/_catalog", "hub-core"],
  ["/v2/a/b/c/manifests/x", "hub-core"],
  ["/v2/a/blobs/uploads/?mount=sha256:1&from=b", "hub-core"],
  ["/v2/a%2Fb/manifests/x", "hub-core"],
  ["/%76%32/a/manifests/x", "hub-core"],
  ["/v2%2Fa/manifests/x", "hub-portal"],
  ["/v2x/a", "hub-portal"],
  ["/c/oidc/callback?code=1&state=2", "hub-core"],
  ["/c/login", "hub-core"],
  ["/c", "hub-portal"],
  ["/chartrepo/a", "hub-portal"],
  ["/devcenter-api-2.0", "hub-portal"],
])("%s goes to %s", (path, service) => {
  expect(routedTo(routes(), "hub.example.org", path)).toBe(service);
});

test.each([
  "/api/internal",
  "/api/internal/switchquota",
  "/api/v2.0/internalconfig",
  "//api//internal/syncquota",
  "/api/%69nternal/renameadmin",
  "/api%2Finternal/switchquota",
  "/api/v2.0/../internal/switchquota",
])("%s goes nowhere, whichever way the registry API has", (path) => {
  expect(routedTo(routes(), "hub.example.org", path)).toBeUndefined();
  expect(routedTo(routes({ registryRoute: "registry" }), "hub.example.org", path)).toBeUndefined();
});

test("the specification's own way sends the registry API, and nothing else, to the registry", () => {
  const literal = routes({ registryRoute: "registry" });
  const to = (path: string) => routedTo(literal, "hub.example.org", path);
  expect(["/v2", "/v2/", "/v2/a/manifests/x"].map(to)).toEqual(Array(3).fill("hub-registry"));
  expect([to("/service/token"), to("/api/v2.0/ping"), to("/v2x")]).toEqual(["hub-core", "hub-core", "hub-portal"]);
});

test("another host goes nowhere", () => {
  expect(routedTo(routes(), "forge.example.org", "/v2/")).toBeUndefined();
});
