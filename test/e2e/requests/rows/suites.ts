import { davRequests, pushRequests, suiteRequests, whiteboardRequests } from "@hearth-platform/cli/smoke/requests";
import { type Exceptions, host, type Row, redirectedOnce, unanswered } from "../row.ts";
import { backends } from "../stacks.ts";

const team = host("team.example.org");
const club = host("club.example.org");
const megabytes = 1024 * 1024;
const dav = "https://team.example.org/remote.php/dav/";

/** A path of the Gateway API, which Apache behind it refuses. */
const otherSpelling: Exceptions = {
  gateway: {
    why: "A slash that is spelled otherwise is none to it; Apache refuses the path.",
    fate: { backend: backends.team },
  },
};

/** A suite's domain: everything to the web, but for whiteboard and the addresses of calendars. */
export const suiteRows: readonly Row[] = [
  ...team.asked(suiteRequests, { suite: backends.team }),
  ...team.asked(davRequests, {}),
  ...team.to(
    backends.team,
    "/remote.php/dav/files/admin/a%2Fb%20c.txt",
    "/remote.php/dav/files/admin/%D1%84%25.txt",
    // People who sign on come back from the provider, and a page sends them there.
    "/apps/user_oidc/code?state=8F0C&code=4f2a%2Bb",
    "/apps/user_oidc/login/7?redirectUrl=%2Fapps%2Ffiles",
    "/login?direct=1",
    "/index.php/apps/richdocuments/wopi/files/1?access_token=x",
    "/.well-known/webfinger?resource=acct:a@team.example.org",
    "/.well-known/nodeinfo",
    "/.well-known/caldavx",
    "/.well-known/caldav/x",
    "/x/.well-known/caldav",
    "/?u=/.well-known/caldav",
    "/whiteboards",
    "/cool/adminws",
    "/datas",
    "/index.php/data",
    "/s/data/config",
    "/remote.php/dav/files/admin/data/config",
  ),
  // Folders of the program have no way in.
  ...["/data/", "/data/.ncdata", "/3rdparty/autoload.php"].map((path) => team.row(path, {}, {}, undefined, unanswered)),
  ...["/templates/", "/tests/", "/build/", "/x/../data/nextcloud.log", "//data/nextcloud.log"].map((path) =>
    team.row(path, {}, {}, undefined, unanswered),
  ),
  team.row("/data%2Fnextcloud.log", {}, {}, undefined, otherSpelling),
  ...["/.well-known/caldav/", "/.well-known/carddav/"].map((path) =>
    team.row(path, {}, { status: 301, headers: { location: dav } }),
  ),
  team.row("/.well-known/caldav?x=1", {}, { status: 301, headers: { location: `${dav}?x=1` } }),
  team.row("/.well-known/carddav/?x=1&y=%2F", {}, { status: 301, headers: { location: `${dav}?x=1&y=%2F` } }),
  team.row(
    "/.well-known/caldav",
    { method: "PROPFIND" },
    { status: 308, headers: { location: dav } },
    undefined,
    redirectedOnce(dav),
  ),
  team.row(
    "/.well-known/carddav?x=1",
    { method: "PROPFIND", body: 10 },
    { status: 308, headers: { location: `${dav}?x=1` } },
    undefined,
    redirectedOnce(`${dav}?x=1`),
  ),
  ...["PROPFIND", "REPORT", "MKCOL", "MOVE", "LOCK", "SEARCH"].map((method) =>
    team.row(
      "/remote.php/dav/calendars/admin/",
      { method, headers: { depth: "1" } },
      { backend: backends.team, sees: { depth: "1" } },
    ),
  ),
  team.row(
    "/remote.php/dav/uploads/admin/1/1",
    { method: "PUT", body: 8 * megabytes },
    { backend: backends.team },
    "of 8 MiB",
  ),
  team.row(
    "/remote.php/dav/uploads/admin/1/2",
    { method: "PUT", body: 8 * megabytes, chunked: true },
    { backend: backends.team },
    "of 8 MiB in chunks",
  ),
  team.row("/remote.php/dav/files/admin/a", { method: "PUT", body: 1000, http: "2" }, { backend: backends.team }),
  team.row(
    "/",
    {},
    { backend: backends.team, headers: { "strict-transport-security": "max-age=15552000" } },
    "once by HTTPS",
  ),
  team.row(
    "/",
    { from: "127.0.1.7", headers: { "x-forwarded-for": "192.0.2.1", "x-forwarded-proto": "https" } },
    { backend: backends.team, sees: { "x-forwarded-for": "192.0.2.1, 127.0.1.7", "x-forwarded-proto": "https" } },
    "through a trusted proxy",
  ),
  ...club.to(backends.club, "/", "/status.php", "/whiteboard", "/whiteboard/socket.io/?EIO=4"),
  club.row(
    "/.well-known/caldav?x=1",
    {},
    { status: 301, headers: { location: "https://club.example.org/remote.php/dav/?x=1" } },
  ),
];

/** The whiteboard below its prefix, which is taken away. */
export const whiteboardRows: readonly Row[] = [
  ...team.as(backends.teamWhiteboard, {
    ...Object.fromEntries(whiteboardRequests.map(({ path }) => [path, "/"])),
    "/whiteboard": "/",
    "/whiteboard/socket.io/?EIO=4&transport=polling": "/socket.io/?EIO=4&transport=polling",
    "/whiteboard//status": "/status",
  }),
  team.row(
    "/whiteboard/socket.io/?EIO=4&transport=websocket",
    { webSocket: true },
    { backend: backends.teamWhiteboard, path: "/socket.io/?EIO=4&transport=websocket" },
  ),
  team.row(
    "/whiteboard/",
    {},
    { backend: backends.teamWhiteboard, path: "/", headers: { "strict-transport-security": "max-age=15552000" } },
    "once by HTTPS",
  ),
];

/** The push server, which knows its prefix. A client's connection stays open for hours. */
export const pushRows: readonly Row[] = [
  ...team.asked(pushRequests, { push: backends.teamPush }),
  ...team.to(backends.teamPush, "/push", "/push/", "/push/test/cookie", "/push/test/remote/1.2.3.4"),
  team.row("/push/test/version", { method: "POST" }, { backend: backends.teamPush }),
  team.row("/push/ws", { webSocket: true }, { backend: backends.teamPush }),
  team.row(
    "/push/ws",
    { webSocket: true, from: "127.0.1.7", headers: { "x-forwarded-for": "192.0.2.1" } },
    { backend: backends.teamPush, sees: { "x-forwarded-for": "192.0.2.1, 127.0.1.7" } },
    "through a trusted proxy",
  ),
  team.row(
    "/push/",
    {},
    { backend: backends.teamPush, headers: { "strict-transport-security": "max-age=15552000" } },
    "once by HTTPS",
  ),
  ...team.to(backends.team, "/pushed", "/index.php/apps/notify_push/uid", "/index.php/apps/notify_push/pre_auth"),
  ...club.to(backends.club, "/push", "/push/ws"),
];
