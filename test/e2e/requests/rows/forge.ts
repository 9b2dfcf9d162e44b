import { forgeRequests, pagesRequests } from "@hearth-platform/cli/smoke/requests";
import { anyLabels, host, type Row } from "../row.ts";
import { backends } from "../stacks.ts";

const forge = host("forge.example.org");
const megabytes = 1024 * 1024;

/** The forge's host: everything to the proxy, but for what only the cluster's inside needs. */
export const forgeRows: readonly Row[] = [
  ...forge.asked(forgeRequests, backends),
  ...forge.to(
    backends.forge,
    "/api/v4/projects/group%2Fproject",
    "/api/v4/projects/1/repository/files/a%2Fb.txt/raw?ref=main",
    "/api/graphql",
    "/oauth/token",
    "/-/metrics_like",
    "/group/project/-/metrics",
    "/group/project.git/info/refs?service=git-upload-pack",
    "/group/project.git/info/lfs/objects/batch",
    "/group/%D1%84%D0%B0%D0%B9%D0%BB",
    "/search?search=a%20%26%20b",
    "/a?b=/-/metrics",
    "/api/v4/internals",
    "/api/v4/projects/internal",
    "/internal/project",
    "/group/api/v4/internal",
  ),
  ...forge.as(backends.forge, {
    "/api/v4/projects/1/packages/npm/@scope%2fname": "/api/v4/projects/1/packages/npm/@scope%2Fname",
    "//group//project": "/group/project",
    "/a/./b/../c": "/a/c",
    "/%7Euser": "/~user",
  }),
  ...forge.nowhere(
    "/-/metrics/",
    "/-/metrics?x=1",
    "//-//metrics",
    "/%2d/metrics",
    "/a/../-/metrics",
    "/a/%2e%2e/-/metrics",
    "/-/./metrics",
    "/-%2Fmetrics",
    "/api/v4/internal/pages?host=a",
    "//api///v4//internal/authorized_keys",
    "/api/v4/%69nternal/allowed",
    "/api%2Fv4/internal/allowed",
    "/api/v4%2finternal%2fallowed",
    "/api/v4/projects/../internal/allowed",
  ),
  forge.row("/-/cable", { webSocket: true }, { backend: backends.forge }),
  forge.row("/api/v4/internal/kubernetes/x", { webSocket: true }, {}),
  forge.row(
    "/group/project.git/git-receive-pack",
    { method: "POST", body: 8 * megabytes },
    { backend: backends.forge },
    "of 8 MiB",
  ),
  forge.row(
    "/group/project.git/git-receive-pack",
    { method: "POST", body: 8 * megabytes, chunked: true },
    { backend: backends.forge },
    "of 8 MiB in chunks",
  ),
  forge.row(
    "/group/project.git/git-upload-pack",
    { method: "POST", body: 1000, http: "2" },
    { backend: backends.forge },
  ),
  forge.row("/api/v4/projects/1", { method: "DELETE" }, { backend: backends.forge }),
  forge.row("/api/v4/projects/1", { method: "PATCH", body: 10 }, { backend: backends.forge }),
  forge.row("/", { method: "OPTIONS" }, { backend: backends.forge }),
  forge.row(
    "/",
    {},
    { backend: backends.forge, headers: { "strict-transport-security": "max-age=15552000" } },
    "once by HTTPS",
  ),
  forge.row(
    "/",
    { headers: { "accept-encoding": "br, gzip", authorization: "Basic eDp5", "private-token": "secret" } },
    {
      backend: backends.forge,
      sees: { "accept-encoding": "br, gzip", authorization: "Basic eDp5", "private-token": "secret" },
    },
    "with a caller's headers",
  ),
  forge.row(
    "/",
    {},
    {
      backend: backends.forge,
      sees: {
        host: "forge.example.org",
        "x-forwarded-proto": "https",
        "x-forwarded-host": "forge.example.org",
        "x-forwarded-port": "443",
        "x-forwarded-for": "127.0.0.1",
      },
    },
    "is told of the caller",
  ),
  forge.row(
    "/",
    {
      from: "127.0.0.7",
      headers: { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "http", "x-forwarded-host": "evil.example" },
    },
    {
      backend: backends.forge,
      sees: { "x-forwarded-for": "127.0.0.7", "x-forwarded-proto": "https", "x-forwarded-host": "forge.example.org" },
    },
    "with forged headers",
  ),
  forge.row(
    "/",
    { from: "127.0.1.7", headers: { "x-forwarded-for": "192.0.2.1" } },
    { backend: backends.forge, sees: { "x-forwarded-for": "192.0.2.1, 127.0.1.7" } },
    "through a trusted proxy",
  ),
];

const sites = (name: string) => host(`${name}.pages.example.org`);

/** The static sites' wildcard: one label. */
export const pagesRows: readonly Row[] = [
  ...sites("team").asked(pagesRequests, backends),
  ...sites("team").to(backends.pages, "/project/index.html", "/-/metrics", "/api/v4/internal/allowed", "/a%20b/c?d=e"),
  ...sites("team-1").to(backends.pages, "/"),
  ...sites("0").to(backends.pages, "/"),
  sites("team").row(
    "/",
    {},
    { backend: backends.pages, certificate: "*.pages.example.org" },
    "with the wildcard's certificate",
  ),
  sites("TEAM").row("/", {}, { backend: backends.pages, certificate: "*.pages.example.org" }),
  sites("team").row("/", { http: "2" }, { backend: backends.pages }),
  sites("a.team").row("/", {}, { certificate: false }, "with a label too many", {
    gateway: { ...anyLabels, fate: { backend: backends.pages, certificate: false } },
  }),
  host("pages.example.org").row("/", {}, { certificate: false }, "without a label"),
  host("team-pages.example.org").row("/", {}, { certificate: false }),
];

const other = host("forge.example.net");

/** A forge at other entry points. */
export const otherForgeRows: readonly Row[] = [
  other.row("/", { entry: "secure" }, { backend: backends.otherForge }),
  other.row("/-/metrics", { entry: "secure" }, {}),
  other.row("/", {}, { certificate: "forge.example.net" }, "at the entry point of others"),
  host("team.pages.example.net").row("/", { entry: "secure" }, { certificate: false }, "without sites"),
];
