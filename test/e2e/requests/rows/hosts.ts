import { anyLabels, host, type Row, redirectedOnce, row } from "../row.ts";
import { backends } from "../stacks.ts";

const redirected = (name: string, path: string) =>
  row({ url: `http://${name}${path}` }, { status: 301, headers: { location: `https://${name}${path}` } });

/** HTTP is sent to HTTPS for good, on every host but the webhook's. */
export const redirectRows: readonly Row[] = [
  ...["forge", "hub", "team", "club", "paper", "office.team", "office.paper", "site.pages"].map((name) =>
    redirected(`${name}.example.org`, "/"),
  ),
  redirected("forge.example.org", "/group/project?a=b%2Fc"),
  redirected("forge.example.org", "/-/metrics"),
  redirected("team.example.org", "/.well-known/caldav"),
  redirected("team.example.org", "/remote.php/dav/files/a%20b"),
  redirected("hub.example.org", "/v2/"),
  ...["POST", "PUT", "PROPFIND"].map((method) =>
    row(
      { url: "http://team.example.org/remote.php/dav/", method, body: 10 },
      { status: 308, headers: { location: "https://team.example.org/remote.php/dav/" } },
      undefined,
      redirectedOnce("https://team.example.org/remote.php/dav/"),
    ),
  ),
  row(
    { url: "http://hub.example.org/v2/", headers: { "x-forwarded-proto": "https" } },
    { status: 301 },
    "with a forged header",
  ),
  row(
    { url: "http://forge.example.net/", entry: "plain" },
    { status: 301, headers: { location: "https://forge.example.net/" } },
  ),
  row({ url: "http://sync.example.org/sync/pages/handbook", method: "POST" }, {}),
  row({ url: "http://sync.example.org/sync/pages/handbook" }, {}),
  row({ url: "http://pages.example.org/" }, {}),
  row({ url: "http://a.site.pages.example.org/" }, {}, undefined, {
    gateway: { ...anyLabels, fate: { status: 301, headers: { location: "https://a.site.pages.example.org/" } } },
  }),
  row({ url: "http://unknown.example.org/" }, {}),
];

/** Names of hosts, and the certificates that callers get by them. */
export const hostRows: readonly Row[] = [
  ...Object.entries({
    forge: backends.forge,
    hub: backends.portal,
    team: backends.team,
    club: backends.club,
    paper: backends.paper,
    "office.team": backends.teamOffice,
    "office.paper": backends.paperOffice,
  }).map(([name, backend]) =>
    host(`${name}.example.org`).row("/", {}, { backend, certificate: `${name}.example.org` }, "by its own certificate"),
  ),
  host("sync.example.org").row("/", {}, { certificate: "sync.example.org" }, "by its own certificate"),
  host("forge.example.org:443").row("/", {}, { backend: backends.forge }),
  host("FORGE.Example.ORG").row("/", {}, { backend: backends.forge }),
  host("forge.example.org.").row("/", {}, { backend: backends.forge }),
  host("forge.example.org").row(
    "/",
    { serverName: "hub.example.org" },
    { backend: backends.forge, certificate: "hub.example.org" },
    "by another's certificate",
  ),
  host("unknown.example.org").row("/", {}, { certificate: false }),
  host("example.org").row("/", {}, { certificate: false }),
  host("cool.team.example.org").row("/", {}, { certificate: false }),
  host("127.0.0.1").row("/", { serverName: "forge.example.org" }, { certificate: "forge.example.org" }),
];
