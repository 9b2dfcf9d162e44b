import { hubRequests } from "@hearth-platform/cli/smoke/requests";
import { host, type Row } from "../row.ts";
import { backends } from "../stacks.ts";

const hub = host("hub.example.org");
const { core, portal, signIn } = backends;
const megabytes = 1024 * 1024;

/** The hub's host: the APIs to core, the rest to the web UI. */
export const hubRows: readonly Row[] = [
  ...hub.asked(hubRequests, backends),
  ...hub.to(
    core,
    "/api/v2.0/projects/a%252Fb",
    "/api/v2.0/projects?page=1&page_size=10",
    "/api/v2.0/configurations",
    "/api/internals",
    "/v2",
    "/v2/a/b/manifests/sha256:0123456789abcdef",
    "/v2/a/blobs/uploads/?mount=sha256:1&from=b",
    "/v2/a%2Fb/manifests/x",
    "/c/login",
    "/c/log_out",
  ),
  ...hub.to(
    signIn,
    "/service/token",
    "/service/token?service=harbor-registry&scope=repository:a/b:pull",
    "/service/token?scope=repository%3Aa%2Fb%3Apull&scope=repository:c/d:pull,push&account=x",
  ),
  hub.row("/service/token", { method: "POST", body: 60 }, { backend: signIn }),
  hub.row(
    "/service/token?service=harbor-registry",
    { headers: { authorization: "Basic eDp5" } },
    { backend: signIn, sees: { authorization: "Basic eDp5", host: "hub.example.org" } },
    "with a name and a token",
  ),
  hub.row(
    "/service/token",
    { from: "127.0.6.1", headers: { "x-forwarded-for": "192.0.2.1" } },
    { backend: signIn, sees: { "x-forwarded-for": "127.0.6.1" } },
    "with a forged address",
  ),
  hub.row(
    "/service/token",
    { from: "127.0.1.6", headers: { "x-forwarded-for": "192.0.2.1" } },
    { backend: signIn, sees: { "x-forwarded-for": "192.0.2.1, 127.0.1.6" } },
    "with the address that a trusted proxy names",
  ),
  ...hub.as(signIn, { "/service/%74oken": "/service/token", "//service/token": "/service/token" }),
  ...hub.as(core, {
    "//v2/": "/v2/",
    "/%76%32/a/manifests/x": "/v2/a/manifests/x",
    "/x/../v2/": "/v2/",
  }),
  ...hub.to(
    portal,
    "/index.html",
    "/harbor/projects",
    "/harbor/projects/1/repositories/a%2Fb",
    "/apiary",
    "/api",
    "/service",
    "/service/token/more",
    "/service/notifications",
    "/service/notifications/tasks/1",
    "/v2x/a",
    "/c",
    "/chartrepo/a",
    "/devcenter-api-2.0",
    "/main.0123456789abcdef.js",
    "/metrics",
  ),
  hub.row("/v2%2Fa/manifests/x", {}, { backend: portal }, undefined, {
    gateway: { why: "What is let in is told by its first segments, in which no slash is encoded.", fate: {} },
  }),
  ...hub.as(portal, { "/service/token/../notifications": "/service/notifications" }),
  ...hub.nowhere(
    "//api//internal/syncquota",
    "/api%2Finternal/switchquota",
    "/api/v2.0/../internal/switchquota",
    "/api/v2.0/%2e%2e/internal/switchquota",
  ),
  hub.row(
    "/v2/a/blobs/uploads/1?digest=sha256:1",
    { method: "PUT", body: 8 * megabytes },
    { backend: core },
    "of 8 MiB",
  ),
  hub.row(
    "/v2/a/blobs/uploads/1",
    { method: "PATCH", body: 8 * megabytes, chunked: true },
    { backend: core },
    "of 8 MiB in chunks",
  ),
  hub.row("/v2/a/manifests/x", { method: "PUT", body: 1000, http: "2" }, { backend: core }),
  hub.row("/v2/a/manifests/x", { method: "HEAD" }, { status: 200, headers: { "content-type": "application/json" } }),
  hub.row("/v2/a/blobs/uploads/", { method: "POST", body: 0 }, { backend: core }),
  hub.row("/v2/a/manifests/x", { method: "DELETE" }, { backend: core }),
  hub.row(
    "/v2/",
    { headers: { authorization: "Bearer x" } },
    { backend: core, sees: { authorization: "Bearer x", "x-forwarded-proto": "https", host: "hub.example.org" } },
    "with a token",
  ),
  hub.row("/v2/", {}, { backend: core, headers: { "strict-transport-security": "max-age=15552000" } }, "once by HTTPS"),
  hub.row("/", {}, { backend: portal, headers: { "strict-transport-security": "max-age=15552000" } }, "once by HTTPS"),
];

const other = (path: string, backend: string | undefined) =>
  host("hub.example.net").row(path, { entry: "secure" }, { ...(backend && { backend }) });

/** A hub whose registry API goes straight to the registry. */
export const literalHubRows: readonly Row[] = [
  ...["/v2", "/v2/", "/v2/a/manifests/x", "/v2/a/blobs/sha256:1"].map((path) => other(path, backends.otherRegistry)),
  ...["/service/token", "/api/v2.0/ping", "/c/login"].map((path) => other(path, backends.otherCore)),
  ...["/", "/v2x", "/service/notifications"].map((path) => other(path, backends.otherPortal)),
  other("/api/internal/switchquota", undefined),
];
