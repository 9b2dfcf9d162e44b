import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ways } from "@hearth-platform/cli/smoke/ask";
import type { SmokeMeans } from "@hearth-platform/cli/smoke/run";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";

/** The public hosts of stack `prod` on this machine: servers that answer as the real programs do. */

/** What a host answers to a path. */
export interface Reply {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (value: unknown, status = 200): Reply => ({ status, body: JSON.stringify(value) });
const page: Reply = { status: 200, body: "<html></html>" };
const to = (location: string): Reply => ({ status: 302, headers: { location } });
/** Nextcloud's sign-in page: it gives its scripts their data in fields, as PHP's JSON in base64. */
export function signInPage(alternatives: readonly object[]): Reply {
  const value = Buffer.from(JSON.stringify(alternatives).replaceAll("/", "\\/")).toString("base64");
  const field = `<input type="hidden" id="initial-state-core-alternativeLogins" value="${value}">`;
  return { status: 200, body: `<html><body>${field}</body></html>` };
}
/** As Traefik answers what has no route. */
export const noRoute: Reply = { status: 404, body: "404 page not found\n" };
const bearer = { "www-authenticate": 'Bearer realm="https://hub.example.org/service/token",service="harbor-registry"' };

/** Answers by `host path`, as GitLab, Harbor, Nextcloud, Collabora and the webhook give them; `signed in` before those with the right password. */
export function answers(): Map<string, Reply> {
  return new Map<string, Reply>([
    ["forge.example.org /", to("https://forge.example.org/users/sign_in")],
    ["forge.example.org /users/sign_in", page],
    ["forge.example.org /-/health", json({ status: "ok", master_check: [{ status: "ok" }] })],
    ["forge.example.org /-/readiness?all=1", json({ status: "ok", master_check: [{ status: "ok" }] })],
    ["forge.example.org /-/liveness", json({ status: "ok" })],
    ["forge.example.org /api/v4/projects", json([])],
    ["forge.example.org /api/v4/version", json({ message: "401 Unauthorized" }, 401)],
    [
      "forge.example.org /oauth/authorize?client_id=1&redirect_uri=https%3A%2F%2Fhub.example.org%2Fc%2Foidc%2Fcallback",
      to("https://forge.example.org/users/sign_in"),
    ],
    ["forge.example.org /.well-known/openid-configuration", json({ issuer: "https://forge.example.org" })],
    ["hub.example.org /", page],
    [
      "hub.example.org /api/v2.0/health",
      json({ status: "healthy", components: [{ name: "core", status: "healthy" }] }),
    ],
    ["hub.example.org /api/v2.0/systeminfo", json({ auth_mode: "oidc_auth" })],
    ["signed in hub.example.org /api/v2.0/systeminfo", json({ auth_mode: "oidc_auth", harbor_version: "v2.15.2" })],
    ["hub.example.org /api/v2.0/users/current", json({ errors: [{ code: "UNAUTHORIZED" }] }, 401)],
    ["signed in hub.example.org /api/v2.0/users/current", json({ username: "admin" })],
    ["hub.example.org /v2/", { ...json({ errors: [] }, 401), headers: bearer }],
    ["signed in hub.example.org /v2/", json({})],
    ["hub.example.org /v2/_catalog", { ...json({ errors: [] }, 401), headers: bearer }],
    ["hub.example.org /v2/a/b/c/manifests/x", { ...json({ errors: [] }, 401), headers: bearer }],
    ["hub.example.org /v2/a/b/blobs/sha256:0123456789abcdef", { ...json({ errors: [] }, 401), headers: bearer }],
    ["hub.example.org /c/oidc/callback?code=1&state=2", json({ errors: [{ code: "BAD_REQUEST" }] }, 400)],
    ["hub.example.org /service/token?service=harbor-registry", json({ token: "x" })],
    ["cloud.example.org /", to("https://cloud.example.org/index.php/login")],
    ["cloud.example.org /index.php/login", page],
    ["cloud.example.org /login", signInPage([{ name: "forge", href: "/apps/user_oidc/login/7", class: "" }])],
    [
      "cloud.example.org /status.php",
      json({ installed: true, maintenance: false, needsDbUpgrade: false, version: "34.0.4.1" }),
    ],
    ["cloud.example.org /ocs/v2.php/cloud/capabilities?format=json", json({ ocs: { meta: { statuscode: 200 } } })],
    ["cloud.example.org /ocs/v2.php/cloud/user?format=json", json({ ocs: { meta: { statuscode: 997 } } }, 401)],
    ["signed in cloud.example.org /ocs/v2.php/cloud/user?format=json", json({ ocs: { data: { id: "admin" } } })],
    ["cloud.example.org /remote.php/webdav/", { status: 401 }],
    ["cloud.example.org /whiteboard/", page],
    ...["cal", "card"].map((kind): [string, Reply] => [
      `cloud.example.org /.well-known/${kind}dav`,
      { status: 301, headers: { location: "https://cloud.example.org/remote.php/dav/" } },
    ]),
    ["office.cloud.example.org /", page],
    ["office.cloud.example.org /hosting/discovery", { status: 200, body: "<wopi-discovery/>" }],
    ["office.cloud.example.org /hosting/capabilities", json({ hasMobileSupport: true })],
    ["POST sync.example.org /sync/-/-", { status: 404, headers: { "content-length": "0" } }],
  ]);
}

export class PublicPlatform {
  /** Answers that may be changed. */
  readonly replies = answers();
  /** Requests that came: `host path`, with `signed in` before those with credentials. */
  readonly asked: string[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), "hearth-smoke-"));
  /** Passwords of the administrators by the Secret's name; none where the Secret is not there. */
  readonly passwords = new Map([
    ["platform/hub-admin", "correct"],
    ["cloud/cloudsuite-admin", "correct"],
  ]);
  greeting = "SSH-2.0-GitLab-SSHD\r\n";
  readonly #servers: Server[] = [];
  #options: string[] = [];
  #ways: Ways | undefined;

  /** Options of `hearth smoke` that lead to it. */
  get options(): readonly string[] {
    return this.#options;
  }

  /** How code reaches it, and the Secrets of its administrators. */
  get means(): SmokeMeans & { ways: Ways } {
    if (!this.#ways) throw new Error("It was not started.");
    const encoded = (text: string) => Buffer.from(text).toString("base64");
    const read = async <T>(path: string) => {
      const [, namespace, name] = /^\/api\/v1\/namespaces\/([^/]+)\/secrets\/([^/]+)$/.exec(path) ?? [];
      const password = this.passwords.get(`${namespace}/${name}`);
      if (password === undefined) return undefined;
      return { data: { username: encoded("admin"), password: encoded(password) } } as T;
    };
    return { ways: this.#ways, cluster: { read }, now: new Date() };
  }

  /** @param lifetime of its certificate in days */
  static async start(lifetime = 90): Promise<PublicPlatform> {
    const platform = new PublicPlatform();
    await platform.#start(lifetime);
    return platform;
  }

  close(): void {
    for (const server of this.#servers) {
      server.close();
      if ("closeAllConnections" in server) (server as ReturnType<typeof createHttp>).closeAllConnections();
    }
  }

  async #start(lifetime: number): Promise<void> {
    const authority = await CertificateAuthority.open(this.folder);
    const { certificate, privateKey } = await authority.issue({
      dnsNames: ["*.example.org", "*.pages.example.org", "*.cloud.example.org"],
      ipAddresses: [],
      lifetime: lifetime * 86_400_000,
      key: { algorithm: "ECDSA", curve: "P-256" },
    });
    const caFile = join(this.folder, "authority.pem");
    writeFileSync(caFile, authority.certificate);
    const ports = [
      await this.#listen(createHttps({ cert: certificate, key: privateKey }, (...call) => this.#answer(...call))),
      await this.#listen(createHttp((request, response) => redirect(request, response))),
      await this.#listen(createTcp((socket) => void socket.end(this.greeting))),
    ];
    this.#options = ["--address", "127.0.0.1", "--ports", ports.join(), "--ca-file", caFile];
    const [https = 0, http = 0, ssh = 0] = ports;
    this.#ways = { address: "127.0.0.1", https, http, ssh, authority: authority.certificate };
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(`${request.headers.authorization ? "signed in " : ""}${questionOf(request)}`);
    const accepted = `Basic ${Buffer.from("admin:correct").toString("base64")}`;
    answer(this.replies, (authorization) => authorization === accepted, request, response);
  }
}

/** Answers as the programs do. @param isRight whether a header signs somebody in */
export function answer(
  replies: ReadonlyMap<string, Reply>,
  isRight: (authorization: string) => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const question = questionOf(request);
  const { authorization } = request.headers;
  const signedIn = authorization !== undefined && isRight(authorization) && replies.get(`signed in ${question}`);
  const { status, headers, body } = signedIn || replies.get(question) || noRoute;
  response.writeHead(status, headers).end(body);
}

/** What was asked of the public host: a proxy tells the prefix that it took away. */
function questionOf({ method, headers, url }: IncomingMessage): string {
  const { host, "x-forwarded-prefix": prefix = "" } = headers;
  return `${method === "GET" ? "" : `${method} `}${host} ${prefix}${url}`;
}

function redirect({ headers, url }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(301, { location: `https://${headers.host}${url}` }).end();
}
