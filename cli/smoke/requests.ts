import { z } from "zod";

/**
 * What is asked of each public host, with the specification's tables of endpoints, states and errors: the one table of smoke, and of
 * the tests that send the same requests through real routes. Nothing of it changes anything.
 */

/** What answers a request. */
export type Answerer =
  | "forge"
  | "pages"
  | "core"
  | "portal"
  | "signIn"
  | "suite"
  | "whiteboard"
  | "push"
  | "office"
  | "webhook";

/** A request to a public host, and what has to come of it. */
export interface PublicRequest {
  /** Path and query, taken to the letter. */
  readonly path: string;
  /** @default GET */
  readonly method?: "POST";
  /** What gets it; absent: it has no way in. */
  readonly to?: Answerer;
  /** Statuses that are right; the first is the usual one. @default 404 without a way in, else 200 */
  readonly status?: readonly number[];
  /** Form of the body, which is JSON then. `HOST` in it stands for the host. @default not looked at */
  readonly json?: (host: string) => z.ZodType;
  /** Words that the body has. @default not looked at */
  readonly words?: string;
  /** A header of the answer. */
  readonly header?: (host: string) => readonly [name: string, value: RegExp];
  /** With the administrator's credentials of the stack's Secret. @default without any */
  readonly signedIn?: true;
  /** Headers that are sent. */
  readonly headers?: Readonly<Record<string, string>>;
}

const json =
  (shape: z.ZodRawShape): PublicRequest["json"] =>
  () =>
    z.looseObject(shape);
const ok = json({ status: z.literal("ok") });

const to =
  (destination: Answerer) =>
  (path: string, more: Omit<PublicRequest, "path" | "to"> = {}): PublicRequest => ({ path, to: destination, ...more });
const nowhere = (...paths: readonly string[]): PublicRequest[] => paths.map((path) => ({ path }));

const forge = to("forge");

/** The forge's host. Who is not signed in is led to the sign-in page. */
export const forgeRequests: readonly PublicRequest[] = [
  forge("/", { status: [302, 200, 301] }),
  forge("/users/sign_in", { status: [200, 302] }),
  forge("/-/health", { json: ok }),
  forge("/-/readiness?all=1", { json: ok }),
  forge("/-/liveness", { json: ok }),
  // A forge that shows nothing to strangers answers 401.
  forge("/api/v4/projects", { status: [200, 401] }),
  forge("/api/v4/version", { status: [401] }),
  forge("/oauth/authorize?client_id=1&redirect_uri=https%3A%2F%2Fhub.example.org%2Fc%2Foidc%2Fcallback", {
    status: [302, 200, 401],
  }),
  forge("/.well-known/openid-configuration", {
    json: (host) => z.looseObject({ issuer: z.literal(`https://${host}`) }),
  }),
  ...nowhere("/-/metrics", "/-/%6detrics", "/api/v4/internal", "/api/v4/internal/allowed"),
];

/** A host of a static site that nobody has: the sites' server says that there is none. */
export const pagesRequests: readonly PublicRequest[] = [to("pages")("/", { status: [404, 302, 401] })];

const core = to("core");
const missing = [401, 404] as const;

/** The hub's host: the management API, the registry API and its token endpoint, sign-on, the web UI. */
export const hubRequests: readonly PublicRequest[] = [
  to("portal")("/"),
  core("/api/v2.0/health", { json: json({ status: z.literal("healthy"), components: z.array(z.unknown()) }) }),
  core("/api/v2.0/systeminfo", { json: json({ auth_mode: z.string() }) }),
  core("/api/v2.0/systeminfo", { signedIn: true }),
  core("/api/v2.0/users/current", { status: [401] }),
  core("/api/v2.0/users/current", { signedIn: true, json: json({ username: z.string() }) }),
  core("/v2/", {
    status: [401],
    header: (host) => ["www-authenticate", new RegExp(`realm="https://${host.replaceAll(".", "\\.")}/service/token"`)],
  }),
  core("/v2/", { signedIn: true }),
  core("/v2/_catalog", { status: [401] }),
  core("/v2/a/b/c/manifests/x", { status: missing }),
  core("/v2/a/b/blobs/sha256:0123456789abcdef", { status: missing }),
  // Without a sign-on that was begun here, it is refused.
  core("/c/oidc/callback?code=1&state=2", { status: [400, 302, 403, 412] }),
  to("signIn")("/service/token?service=harbor-registry", { status: [200, 401] }),
  ...nowhere("/api/internal", "/api/internal/switchquota", "/api/v2.0/internalconfig", "/api/%69nternal/renameadmin"),
];

const suite = to("suite");
const ocs = { "ocs-apirequest": "true" };
/** A rule without a backend is 503 with some Gateways. */
const refused = { status: [404, 503] } as const;

/** A suite's host. */
export const suiteRequests: readonly PublicRequest[] = [
  suite("/", { status: [302, 200, 303] }),
  suite("/index.php/login", { status: [200, 302, 303] }),
  suite("/status.php", {
    json: json({ installed: z.literal(true), maintenance: z.literal(false), needsDbUpgrade: z.literal(false) }),
  }),
  suite("/ocs/v2.php/cloud/capabilities?format=json", { headers: ocs, json: json({ ocs: z.unknown() }) }),
  suite("/ocs/v2.php/cloud/user?format=json", { headers: ocs, status: [401] }),
  suite("/ocs/v2.php/cloud/user?format=json", { headers: ocs, signedIn: true }),
  suite("/remote.php/webdav/", { status: [401] }),
  ...["/data/nextcloud.log", "/config/config.php", "/lib/base.php", "/%64ata/nextcloud.log"].map((path) => ({
    path,
    ...refused,
  })),
];

/** Where a suite's clients look for calendars: the answer is the proxy's own. */
export const davRequests: readonly PublicRequest[] = ["/.well-known/caldav", "/.well-known/carddav"].map((path) => ({
  path,
  status: [301],
  header: (host) => ["location", new RegExp(`^https://${host.replaceAll(".", "\\.")}/remote\\.php/dav/$`)],
}));

/** The whiteboard below its prefix on a suite's host. */
export const whiteboardRequests: readonly PublicRequest[] = [to("whiteboard")("/whiteboard/")];

/** The push server on a suite's host, which refuses who asks for no WebSocket; Nextcloud would have no such page. (warp src/filters/ws.rs, src/reject.rs) */
export const pushRequests: readonly PublicRequest[] = [to("push")("/push/ws", { status: [400] })];

const office = to("office");

/** Collabora's host: what browsers open, and none of its administration. */
export const collaboraRequests: readonly PublicRequest[] = [
  office("/"),
  office("/hosting/discovery", { words: "wopi-discovery" }),
  office("/hosting/capabilities", { json: json({}) }),
  ...nowhere("/browser/dist/admin/admin.html", "/cool/adminws", "/cool/getMetrics", "/cool/convert-to/pdf", "/metrics"),
];

/** OnlyOffice's host. */
export const onlyofficeRequests: readonly PublicRequest[] = [
  office("/web-apps/apps/api/documents/api.js"),
  ...nowhere("/info/info.json", "/coauthoring/CommandService.ashx", "/ConvertService.ashx", "/admin/", "/metrics"),
];

/** The webhook's host. No site can have the name that is posted, so no sync begins; its own answer has no body. */
export const webhookRequests: readonly PublicRequest[] = [
  to("webhook")("/sync/-/-", { method: "POST", status: [404], header: () => ["content-length", /^0$/] }),
  ...nowhere("/sync/pages/handbook", "/", "/healthz", "/metrics"),
];
