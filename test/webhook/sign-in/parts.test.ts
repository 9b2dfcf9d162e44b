import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CallBudget } from "@hearth-platform/site-webhook/call-budget";
import { Log } from "@hearth-platform/site-webhook/log";
import { AdministratorPassword } from "@hearth-platform/site-webhook/sign-in/administrator-password";
import { Core, passedOn, signedIn, tookForNobody } from "@hearth-platform/site-webhook/sign-in/core";
import { ForgeClient } from "@hearth-platform/site-webhook/sign-in/forge";
import { HubApi } from "@hearth-platform/site-webhook/sign-in/hub-api";
import { HubUsers } from "@hearth-platform/site-webhook/sign-in/hub-users";
import { PullRobot } from "@hearth-platform/site-webhook/sign-in/pull-robot";
import { Serial } from "@hearth-platform/site-webhook/sign-in/serial";
import { needed, SignIn } from "@hearth-platform/site-webhook/sign-in/sign-in";
import { SignInTelemetry } from "@hearth-platform/site-webhook/sign-in/telemetry";
import type { Upstream, UpstreamRequest } from "@hearth-platform/site-webhook/sign-in/upstream";
import { describe, expect, onTestFinished, test } from "vitest";
import { VirtualClock } from "../support/virtual-clock.ts";
import { issuer } from "./running.ts";

/** A server that answers as told; what it was asked. No answer: it hangs. */
function upstream(answer: (request: UpstreamRequest) => readonly [status: number, body: unknown] | undefined) {
  const asked: string[] = [];
  const deadlines = new Set<number>();
  const call = async (request: UpstreamRequest) => {
    deadlines.add(request.deadline);
    asked.push(`${request.method ?? "GET"} ${decodeURIComponent(request.path).replaceAll("+", " ")}`);
    const [status, body] = answer(request) ?? (await new Promise<never>(() => {}));
    return { status, headers: {}, rawHeaders: [], body: Buffer.from(JSON.stringify(body)) };
  };
  return { asked, deadlines, upstream: { call } as unknown as Upstream };
}

const password = { current: async () => "secret" } as unknown as AdministratorPassword;
const far = 1e9;

/** The hub's users with what core says of each by its number. */
function usersOf(records: Map<number, { username: string; subiss: string }>, pages = true) {
  const clock = new VirtualClock();
  const failing = new Set<number>();
  const { asked, upstream: core } = upstream(({ path }) => {
    const url = new URL(path, "http://core");
    const items = [...records].map(([user_id, { username }]) => ({ user_id, username }));
    if (url.pathname.endsWith("/users/search"))
      return [
        200,
        items.filter(({ username }) => username.includes(url.searchParams.get("username")?.toLowerCase() ?? "")),
      ];
    if (url.pathname.endsWith("/users")) return pages ? [200, items] : undefined;
    const number = Number(url.pathname.split("/").at(-1));
    const record = records.get(number);
    if (failing.has(number)) return [500, {}];
    if (!record) return [404, {}];
    const { username, subiss } = record;
    return [200, { user_id: number, username, oidc_user_meta: { subiss, secret: `cli-${number}` } }];
  });
  const users = new HubUsers(new HubApi(core, "admin", password, clock), issuer, clock);
  return { users, clock, asked, failing, reads: () => asked.filter((each) => each.includes("/users?")).length };
}

describe("the hub's users", () => {
  test("are found under another spelling of the name without reading all of them", async () => {
    const { users, reads } = usersOf(new Map([[3, { username: "alice", subiss: `12${issuer}` }]]));
    expect(await users.find({ id: 12, name: "Alice" }, far)).toMatchObject({ id: 3, name: "alice" });
    expect(reads()).toBe(0);
  });

  test("are not known by a number of the hub's that is another's now", async () => {
    const records = new Map([[3, { username: "alice", subiss: `12${issuer}` }]]);
    const { users } = usersOf(records);
    expect(await users.find({ id: 12, name: "alice" }, far)).toMatchObject({ id: 3 });
    records.set(3, { username: "mallory", subiss: `99${issuer}` });
    expect(await users.find({ id: 12, name: "alice" }, far)).toBe("absent");
  });

  test.each(["0xc", "1.2e1", "12 ", "+12", ""])(
    "are known by a number in digits alone, which %j is not",
    async (number) => {
      const { users } = usersOf(new Map([[3, { username: "alice", subiss: `${number}${issuer}` }]]));
      expect(await users.find({ id: 12, name: "alice" }, far)).toBe("absent");
      expect(users.remembered).toBe(0);
    },
  );

  test("are each read once, though core lists them again", async () => {
    const { users, clock, asked } = usersOf(new Map([[3, { username: "alice", subiss: `12${issuer}` }]]));
    for (let round = 0; round < 3; round += 1) {
      expect(await users.find({ id: 99, name: "nobody" }, far)).toBe("absent");
      await clock.advance(3_000);
    }
    expect(asked.filter((each) => each.endsWith("/users/3"))).toHaveLength(1);
  });

  test("of whom one could not be read are read from there on", async () => {
    const records = new Map([[3, { username: "alice", subiss: `12${issuer}` }]]);
    const { users, failing } = usersOf(records);
    failing.add(3);
    expect(await users.find({ id: 12, name: "renamed" }, far)).toBe("core");
    failing.clear();
    expect(await users.find({ id: 12, name: "renamed" }, far)).toMatchObject({ id: 3 });
  });

  test("of another issuer are others, though its name is as long", async () => {
    const other = issuer.replace(/org$/, "net");
    const { users } = usersOf(new Map([[3, { username: "alice", subiss: `12${other}` }]]));
    expect(await users.find({ id: 12, name: "alice" }, far)).toBe("absent");
  });

  test("are read anew no sooner than three seconds after the last time", async () => {
    const { users, clock, reads } = usersOf(new Map());
    for (const [advance, expected] of [
      [0, 1],
      [2_999, 1],
      [1, 2],
    ] as const) {
      await clock.advance(advance);
      expect(await users.find({ id: 12, name: "alice" }, far)).toBe("absent");
      expect(reads()).toBe(expected);
    }
  });

  test("are remembered up to 100,000, the newest of them", async () => {
    // The hub has a user for each number of the forge, which is one lower; none is found by name.
    const record = (id: number) => ({ user_id: id, username: "x", oidc_user_meta: { subiss: `${id - 1}${issuer}` } });
    const call = async ({ path }: { path: string }) => {
      if (path.startsWith("/users/search")) return { body: [] };
      if (!path.startsWith("/users?")) return { body: record(Number(path.slice("/users/".length))) };
      const from = Number(/%5B(\d+)/.exec(path)?.[1]);
      return { body: Array.from({ length: Math.min(100, 100_003 - from) }, (_, index) => record(from + index)) };
    };
    const users = new HubUsers({ call } as unknown as HubApi, issuer, new VirtualClock());
    expect(await users.find({ id: 100_001, name: "renamed" }, far)).toMatchObject({ id: 100_002 });
    expect(users.remembered).toBe(100_000);
    expect(await users.find({ id: 2, name: "renamed" }, far)).toMatchObject({ id: 3 });
    expect(await users.find({ id: 1, name: "renamed" }, far)).toBe("absent");
  });

  test("that are still being read at a call's deadline let it come again", async () => {
    const { users, clock } = usersOf(new Map(), false);
    const found = users.find({ id: 12, name: "alice" }, 500);
    await clock.advance(500);
    expect(await found).toBe("reading_users");
  });
});

describe("the hub's API", () => {
  const isNumbers = (value: unknown): value is number[] => Array.isArray(value);
  test.each([
    [200, [1], { body: [1] }],
    [299, [1], { body: [1] }],
    [300, [1], "core"],
    [200, { errors: [] }, "core"],
    [500, [1], "core"],
    [401, [1], "administrator"],
    [403, [1], "administrator"],
    [404, [1], "missing"],
  ])("that answers %i with %j is %j", async (status, body, expected) => {
    const api = new HubApi(upstream(() => [status, body]).upstream, "admin", password, new VirtualClock());
    expect(await api.call({ path: "/x" }, isNumbers, 1_000)).toEqual(expected);
  });
});

test("the robot that pulls is found on any page of robots, and made where it is on none", async () => {
  for (const there of [true, false]) {
    let made = there;
    const others = Array.from({ length: 100 }, (_, id) => ({ id, name: `robot$${id}` }));
    let known = false;
    const { asked, upstream: core } = upstream(({ path, method = "GET" }) => {
      if (path.startsWith("/service/token"))
        return known ? [200, { token: tokenOf("robot$hub-sign-in", ["pull"]) }] : [401, {}];
      if (method === "POST") made = true;
      if (method === "PATCH") known = true;
      if (method !== "GET") return [200, {}];
      if (path.includes("page=1&")) return [200, others];
      return [200, path.includes("page=2&") && made ? [{ id: 777, name: "robot$hub-sign-in" }] : []];
    });
    const robot = new PullRobot(new Core(core), new HubApi(core, "admin", password, new VirtualClock()), password);
    expect(await robot.token("?service=harbor-registry", far)).toMatchObject({ status: 200 });
    expect(asked.filter((each) => !each.startsWith("GET"))).toEqual([
      ...(there ? [] : ["POST /api/v2.0/robots"]),
      "PATCH /api/v2.0/robots/777",
    ]);
  }
});

test.each([
  ["repository:apps/web:pull", "read_api"],
  ["repository:host:5000/apps/web:pull", "read_api"],
  ["registry:catalog:*", "read_api"],
  ["", "read_api"],
  ["repository:apps/web:push repository:apps/api:pull", "api"],
  ["repository:apps/web:pull,push", "api"],
  ["repository:apps/web:*", "api"],
])("who asks for %j needs the scope %s of the forge", (scope, scopes) => {
  expect(needed(`?${new URLSearchParams({ service: "harbor-registry", scope })}`)).toBe(scopes);
});

test("the robot that pulls is left alone where core does not answer", async () => {
  const { asked, upstream: core } = upstream(() => [500, {}]);
  const robot = new PullRobot(new Core(core), new HubApi(core, "admin", password, new VirtualClock()), password);
  expect(await robot.token("?service=harbor-registry", far)).toMatchObject({ status: 500 });
  expect(asked).toEqual(["GET /service/token?service=harbor-registry"]);
});

test.each([
  [403, { error: "insufficient_scope" }, "scope"],
  [403, { message: "403 Forbidden" }, "blocked"],
  [401, {}, "unknown"],
  [401, { error: "invalid_token", error_description: "Token is expired." }, "expired"],
  [401, { error: "unauthorized", error_description: "Your password has expired." }, "unknown"],
  [400, {}, "kind"],
])("a refusal of the forge's, %i %j, means %s", async (status, body, denial) => {
  const forge = new ForgeClient(upstream(() => [status, body]).upstream);
  expect(await forge.user("glpat-x", far)).toEqual({ denial });
  expect(await forge.token("glpat-x", far)).toEqual({ denial });
});

test.each([204, 304])("core's answer %i without a body is passed on without one", (status) => {
  const response = passedOn({ status, headers: {}, rawHeaders: ["etag", "x"], body: Buffer.alloc(0) });
  expect([response.status, response.body, response.headers.get("content-length")]).toEqual([status, null, null]);
});

test("headers between two neighbours are passed on in neither way, and all others are", async () => {
  const neighbourly = ["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"];
  const raw = [...neighbourly, "x-kept"].flatMap((name) => [name, "x"]);
  expect([...passedOn({ status: 204, headers: {}, rawHeaders: raw, body: Buffer.alloc(0) }).headers]).toEqual([
    ["x-kept", "x"],
  ]);
  const sent: UpstreamRequest[] = [];
  const core = new Core(
    upstream((request) => {
      sent.push(request);
      return [200, {}];
    }).upstream,
  );
  await core.pass({ method: "GET", headers: {}, rawHeaders: raw } as unknown as IncomingMessage, Buffer.alloc(0), far);
  expect(sent).toMatchObject([{ path: "/service/token", headers: ["x-kept", "x"] }]);
});

test.each([
  [{ sub: "alice" }, "alice"],
  [{}, ""],
  [{ sub: 7 }, ""],
])("core's token with the claims %j is of %j", (claims, subject) => {
  const token = ["{}", JSON.stringify(claims), ""].map((part) => Buffer.from(part).toString("base64url")).join(".");
  const answer = { status: 200, headers: {}, rawHeaders: [], body: Buffer.from(JSON.stringify({ token })) };
  expect([signedIn(answer), tookForNobody(answer)]).toEqual([subject !== "", subject === ""]);
});

test("a service is quiet when its last call is answered, not before", async () => {
  const clock = new VirtualClock();
  const telemetry = new SignInTelemetry(new Log(() => {}, clock), clock);
  await telemetry.quiet();
  const begun = [telemetry.begun(), telemetry.begun()];
  let isQuiet = false;
  void telemetry.quiet().then(() => {
    isQuiet = true;
  });
  for (const [index, at] of begun.entries()) {
    telemetry.finished({ method: "GET" } as IncomingMessage, at, { outcome: "passed", status: 200 });
    await clock.advance(0);
    expect(isQuiet).toBe(index === 1);
  }
});

test("the administrator's password is read again after ten seconds, and at once while there is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "password-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "password");
  const clock = new VirtualClock();
  const read = new AdministratorPassword(file, clock);
  expect(await read.current()).toBeUndefined();
  writeFileSync(file, "first\n");
  expect(await read.current()).toBe("first");
  writeFileSync(file, "second\n");
  await clock.advance(9_999);
  expect(await read.current()).toBe("first");
  await clock.advance(1);
  expect(await read.current()).toBe("second");
});

/** Core's token of an account for a repository. */
function tokenOf(sub: string, actions: readonly string[], padding = ""): string {
  const claims = { sub, access: [{ type: "repository", name: "apps/web", actions }], padding };
  return ["{}", JSON.stringify(claims), "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}

/** The forge's numbers of two users; the hub's are 3 and 4. */
const numbers: Readonly<Record<string, number>> = { alice: 12, bob: 13 };

/** Signs alice and bob in, with what the forge says of their tokens and core of them; where their sessions have `ended` core knows neither. */
function signInOf({ scopes = ["api"], padding = "", robot = ["pull"], ended = false, burst = 40 }) {
  const clock = new VirtualClock();
  const ownerOf = ({ headers }: UpstreamRequest) =>
    String((headers as { "private-token"?: string })["private-token"]).replace("glpat-", "");
  const forge = upstream((request) => {
    const username = ownerOf(request);
    if (request.path.endsWith("/self")) return [200, { user_id: numbers[username], scopes, active: true }];
    return [200, { id: numbers[username], username, state: "active" }];
  });
  const core = upstream(({ path, headers }) => {
    const { authorization = "" } = headers as { authorization?: string };
    const [name = ""] = Buffer.from(authorization.replace("Basic ", ""), "base64").toString().split(":");
    if (path.startsWith("/service/token")) {
      if (!(name in numbers)) return [200, { token: tokenOf(name, robot) }];
      return ended ? [401, {}] : [200, { token: tokenOf(name, ["pull", "push"], padding) }];
    }
    const items = Object.keys(numbers).map((username, index) => ({ user_id: index + 3, username }));
    if (path.includes("/search")) return [200, items];
    const { user_id, username = "" } = items.find(({ user_id: id }) => path.endsWith(`/${id}`)) ?? {};
    return [200, { user_id, username, oidc_user_meta: { subiss: `${numbers[username]}${issuer}`, secret: "cli" } }];
  });
  const api = new HubApi(core.upstream, "admin", password, clock);
  const signIn = new SignIn({
    forge: new ForgeClient(forge.upstream),
    users: new HubUsers(api, issuer, clock),
    core: new Core(core.upstream),
    robot: new PullRobot(new Core(core.upstream), api, password),
    budget: new CallBudget({ perSecond: burst / 1_000, burst, inFlight: 16, waiting: 256 }, clock),
    serial: new Serial(32),
    clock,
  });
  const decide = (user = "alice", repository = "apps/web") =>
    signIn.decide({
      user,
      token: `glpat-${user}`,
      query: `?service=harbor-registry&scope=repository:${repository}:pull`,
      standing: "new",
    });
  const tokenCalls = () => core.asked.filter((each) => each.includes("/service/token")).length;
  return {
    clock,
    decide,
    asked: forge.asked,
    tokenCalls,
    deadlines: () => [...new Set([...forge.deadlines, ...core.deadlines])],
  };
}

describe("a sign-in", () => {
  test("asks forge and core for answers within 13 seconds of its call", async () => {
    const { clock, decide, deadlines } = signInOf({});
    await clock.advance(500);
    expect(await decide()).toMatchObject({ outcome: "issued" });
    expect(deadlines()).toEqual([13_500]);
  });

  test("gives its turn at the forge back, however many come one after the other", async () => {
    const { decide } = signInOf({ burst: 400 });
    for (let number = 0; number < 40; number += 1)
      expect(await decide("alice", `apps/${number}`)).toMatchObject({ outcome: "issued" });
  });

  test("waits three seconds for its turn at the forge, and is told to come again then", async () => {
    const { clock, decide } = signInOf({ burst: 1 });
    expect(await decide("alice")).toMatchObject({ outcome: "issued" });
    const verdicts: string[] = [];
    void decide("bob").then(({ outcome }) => verdicts.push(outcome));
    await clock.advance(2_999);
    expect(verdicts).toEqual([]);
    await clock.advance(1);
    expect(verdicts).toEqual(["shed"]);
  });
});

describe("a session that has ended", () => {
  /** How often core is asked for a user's token before the user is told. */
  async function asks({ clock, decide, tokenCalls }: ReturnType<typeof signInOf>, user: string, repository?: string) {
    const before = tokenCalls();
    const verdict = decide(user, repository);
    await clock.advance(3_000);
    expect(await verdict).toEqual({ outcome: "denied", reason: "session_ended" });
    return tokenCalls() - before;
  }

  test("is waited for three times, and for ten seconds no call of its user waits again", async () => {
    const world = signInOf({ ended: true });
    expect(await asks(world, "alice")).toBe(4);
    expect(await asks(world, "alice", "apps/api")).toBe(1);
    await world.clock.advance(10_000);
    expect(await asks(world, "alice", "apps/api")).toBe(4);
  });

  test("is its user's alone: another user's is waited for", async () => {
    const world = signInOf({ ended: true });
    expect(await asks(world, "alice")).toBe(4);
    expect(await asks(world, "bob")).toBe(4);
  });
});

describe("a registry token", () => {
  test("is given again for a minute, after which the forge is asked anew", async () => {
    const { clock, decide, asked } = signInOf({});
    expect(await decide()).toMatchObject({ outcome: "issued" });
    await clock.advance(59_999);
    expect(await decide()).toMatchObject({ outcome: "issued", remembered: true });
    expect(asked).toHaveLength(2);
    await clock.advance(1);
    expect(await decide()).not.toHaveProperty("remembered");
    expect(asked).toHaveLength(4);
  });

  test("of more than 16 KiB is remembered by nobody", async () => {
    const { decide } = signInOf({ padding: "x".repeat(16 * 1024) });
    expect(await decide()).toMatchObject({ outcome: "issued" });
    expect(await decide()).not.toHaveProperty("remembered");
  });

  test("of the robot that pulls is given to nobody where the robot may do more", async () => {
    expect(await signInOf({ scopes: ["read_api"] }).decide()).toMatchObject({ outcome: "issued" });
    expect(await signInOf({ scopes: ["read_api"], robot: ["pull", "push"] }).decide()).toEqual({
      outcome: "unavailable",
      reason: "core",
    });
  });
});
