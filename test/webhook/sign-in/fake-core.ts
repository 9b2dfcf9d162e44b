/**
 * The hub's core: its token endpoint, and its API as the administrator sees it. The API's shapes are compared with the description in Harbor's
 * Go client at every exchange (`test/support/hub-api.ts`); the token endpoint's rules were read from goharbor/harbor v2.15 src/core/service/token,
 * src/server/middleware/security and src/core/auth.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Clock } from "@hearth-platform/site-webhook/clock";
import { apiProblems } from "../../support/hub-api.ts";

export interface FakeUser {
  readonly id: number;
  readonly name: string;
  /** The forge's number and issuer. */
  readonly subiss: string;
  readonly secret: string;
  /** What it may do in a project. */
  readonly may?: Readonly<Record<string, readonly string[]>>;
}

interface Robot {
  readonly id: number;
  readonly name: string;
  secret?: string;
  readonly permissions: readonly {
    readonly namespace: string;
    readonly access: readonly { readonly action: string }[];
  }[];
}

/** A call as core got it. */
export interface SeenCall {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

const administrator = "admin";
const everything = ["pull", "push", "delete", "scanner-pull"];

export class FakeCore {
  readonly users: FakeUser[] = [];
  readonly robots: Robot[] = [];
  readonly publicProjects = new Set(["library"]);
  password: string;
  /** Calls of the token endpoint. */
  readonly tokenCalls: SeenCall[] = [];
  /** `METHOD /path?query` of calls of the API. */
  readonly apiCalls: string[] = [];
  readonly problems: string[] = [];
  /** Everything is answered so, if set; `cut` breaks the connection. */
  fails?: number | "cut";
  /** Refreshes of a user's session that fail yet, as when its one-time token was just used. */
  readonly failingRefreshes = new Map<string, number>();
  /** Milliseconds that a user's token takes; two of one user at once make the second fail, as with a one-time token. */
  latency = 0;
  /** Milliseconds that wrong credentials take. */
  wrongPasswordLatency = 0;
  /** Until it resolves no account gets its token. */
  held?: Promise<void>;
  /** Every token is made out to this account, as by a core that mixes up its sessions. */
  madeOutTo?: string;
  /** Failed sign-ins of the administrator lock the account until then, by the clock. */
  lockedUntil = 0;
  #refreshing = new Set<string>();
  #number = 0;
  readonly #server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (this.fails === "cut") return request.socket.destroy();
    const [status, headers, text] =
      this.fails === undefined ? await this.#answer(request, body) : [this.fails, {}, "broken"];
    return response.writeHead(status, headers).end(text);
  });

  readonly #clock: Clock;

  static async start(password: string, clock: Clock): Promise<FakeCore> {
    const core = new FakeCore(password, clock);
    await new Promise<void>((done) => core.#server.listen(0, "127.0.0.1", done));
    return core;
  }

  private constructor(password: string, clock: Clock) {
    this.password = password;
    this.#clock = clock;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #answer(request: IncomingMessage, body: Buffer): Promise<[number, Record<string, string | string[]>, string]> {
    const { method = "", url = "", rawHeaders, headers } = request;
    const { pathname, searchParams } = new URL(url, "http://core");
    if (pathname !== "/service/token") return this.#api(method, url, headers.authorization, body);
    this.tokenCalls.push({ method, url, rawHeaders, body: body.toString() });
    // Two cookies and a status of its own: what a proxy may lose.
    const marks = { "set-cookie": ["sid=1; Path=/", "_csrf=2; Path=/"], "x-request-id": `request-${++this.#number}` };
    if (method !== "GET") return [405, marks, "Method Not Allowed"];
    if (searchParams.get("service") !== "harbor-registry") return [400, marks, "Unable to handle service: "];
    const who = await this.#account(headers.authorization);
    if (!who && headers.authorization && this.wrongPasswordLatency > 0)
      await new Promise((done) => setTimeout(done, this.wrongPasswordLatency));
    const scopes = searchParams.getAll("scope").flatMap((scope) => scope.split(" "));
    if (!who && scopes.length === 0) return [401, { ...marks, "content-type": "text/plain" }, ""];
    const access = scopes.map((scope) => {
      const [type, name = ""] = scope.split(":");
      return { type, name, actions: this.#may(who, name.split("/")[0] ?? "") };
    });
    const claims = {
      iss: "harbor-token-issuer",
      sub: this.madeOutTo ?? who ?? "",
      jti: String(++this.#number),
      access,
    };
    const token = ["{}", JSON.stringify(claims), "signature"].map((part) => Buffer.from(part).toString("base64url"));
    const answer = { token: token.join("."), access_token: "", expires_in: 1800, issued_at: "2026-11-22T10:00:00Z" };
    return [200, { ...marks, "content-type": "application/json; charset=utf-8" }, JSON.stringify(answer)];
  }

  async #account(authorization = ""): Promise<string | undefined> {
    const [, name = "", secret = ""] = credentialsOf(authorization);
    if (name === administrator) return this.#administrates(secret) ? name : undefined;
    const robot = this.robots.find((each) => each.name === name);
    if (robot) return robot.secret === secret ? name : undefined;
    const user = this.users.find((each) => each.name === name);
    if (!user || user.secret !== secret) return undefined;
    if (this.#refreshing.has(name)) return undefined;
    this.#refreshing.add(name);
    await this.held;
    if (this.latency > 0) await new Promise((done) => setTimeout(done, this.latency));
    this.#refreshing.delete(name);
    const failing = this.failingRefreshes.get(name) ?? 0;
    this.failingRefreshes.set(name, failing - 1);
    return failing > 0 ? undefined : name;
  }

  #administrates(password: string): boolean {
    if (this.#clock.now() < this.lockedUntil) return false;
    if (password === this.password) return true;
    this.lockedUntil = this.#clock.now() + 1_500;
    return false;
  }

  /** All that an account may do in a project, whatever it asks for: so is core. */
  #may(account: string | undefined, project: string): readonly string[] {
    if (account === administrator) return everything;
    const robot = this.robots.find(({ name }) => name === account);
    if (robot) return robot.permissions.flatMap(({ access }) => access.map(({ action }) => action));
    const own = this.users.find(({ name }) => name === account)?.may?.[project];
    return own ?? (this.publicProjects.has(project) ? ["pull"] : []);
  }

  #api(
    method: string,
    url: string,
    authorization: string | undefined,
    body: Buffer,
  ): [number, Record<string, string>, string] {
    this.apiCalls.push(`${method} ${url}`);
    const { pathname, searchParams } = new URL(url, "http://core");
    const path = pathname.replace("/api/v2.0", "");
    const [, name, password] = credentialsOf(authorization);
    const sent = body.length > 0 ? JSON.parse(body.toString()) : undefined;
    const [status, answer] =
      name === administrator && this.#administrates(password ?? "")
        ? this.#administered(method, path, searchParams, sent)
        : [401, { errors: [{ code: "UNAUTHORIZED", message: "unauthorized" }] }];
    this.problems.push(
      ...apiProblems({
        method,
        path,
        status,
        ...(sent !== undefined && { body: sent }),
        ...(status < 300 && { answer }),
      }),
    );
    return [status, { "content-type": "application/json" }, answer === undefined ? "" : JSON.stringify(answer)];
  }

  #administered(method: string, path: string, query: URLSearchParams, sent: unknown): [number, unknown?] {
    const size = Number(query.get("page_size") ?? 10);
    if (path === "/users/search") {
      const found = this.users.filter((user) => user.name.includes(query.get("username") ?? ""));
      return [200, found.slice(0, size).map(({ id, name }) => ({ user_id: id, username: name }))];
    }
    if (path === "/users") {
      const from = Number(/^user_id=\[(\d+)~\]$/.exec(query.get("q") ?? "")?.[1] ?? Number.NaN);
      const found = this.users.filter(({ id }) => id >= from).sort((a, b) => a.id - b.id);
      return [200, found.slice(0, size).map(({ id, name }) => ({ user_id: id, username: name, email: "" }))];
    }
    const user = this.users.find(({ id }) => path === `/users/${id}`);
    if (user) {
      const { id, name, subiss, secret } = user;
      const time = "2026-11-01T08:00:00.000Z";
      const oidc_user_meta = { id: 1, user_id: id, subiss, secret, creation_time: time, update_time: time };
      return [200, { user_id: id, username: name, email: "", sysadmin_flag: false, oidc_user_meta }];
    }
    return path.startsWith("/robots") ? this.#robotsOf(method, path, sent) : [404, { errors: [] }];
  }

  #robotsOf(method: string, path: string, sent: unknown): [number, unknown?] {
    if (method === "GET") return [200, this.robots.map(({ id, name }) => ({ id, name }))];
    if (method === "POST") {
      const robot = { ...(sent as Robot), id: ++this.#number, name: `robot$${(sent as Robot).name}` };
      if (this.robots.some(({ name }) => name === robot.name)) return [409, { errors: [] }];
      this.robots.push(robot);
      return [201, { id: robot.id, name: robot.name, secret: "made-up" }];
    }
    const robot = this.robots.find(({ id }) => path === `/robots/${id}`);
    if (!robot) return [404, { errors: [] }];
    robot.secret = (sent as { secret: string }).secret;
    return [200, { secret: "" }];
  }
}

function credentialsOf(authorization = ""): readonly string[] {
  const text = Buffer.from(authorization.replace("Basic ", ""), "base64").toString("utf8");
  return /^(.*?):(.*)$/s.exec(text) ?? [];
}
