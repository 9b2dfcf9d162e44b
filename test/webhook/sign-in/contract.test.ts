import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { call } from "../support/service.ts";
import { VirtualClock } from "../support/virtual-clock.ts";
import {
  administratorPassword,
  basic,
  claimsOf,
  issuer,
  messageOf,
  type RunningSignIn,
  startBetween,
  tokenUrl,
} from "./running.ts";

const pull = "repository:apps/web:pull";
const push = "repository:apps/web:pull,push";
const developer = { apps: ["pull", "push"] };
const token = "glpat-alice-canary-0001";

let running: RunningSignIn;
beforeEach(async () => {
  running = await startBetween();
  running.core.users.push(
    { id: 3, name: "alice", subiss: `12${issuer}`, secret: "Alice-cli-canary-1", may: developer },
    { id: 4, name: "guest", subiss: `13${issuer}`, secret: "Guest-cli-canary-1", may: { apps: ["pull"] } },
  );
  running.forge.tokens.set(token, { id: 12, username: "alice", scopes: ["api"] });
});
afterEach(async () => {
  const problems = [...running.core.problems, ...running.forge.problems];
  await running.stop();
  expect(problems).toEqual([]);
});

/** The same between a forge and a core on a clock of the test. */
async function startedOn(clock: VirtualClock): Promise<RunningSignIn> {
  const other = await startBetween(clock);
  onTestFinished(() => waitedFor(clock, other.stop()));
  other.core.users.push(...running.core.users);
  for (const [secret, owner] of running.forge.tokens) other.forge.tokens.set(secret, owner);
  return other;
}

/** What comes of it while the clock runs fast: ten seconds of it in one. */
function waitedFor<T>(clock: VirtualClock, result: Promise<T>): Promise<T> {
  const clockwork = setInterval(() => void clock.advance(50), 5);
  return result.finally(() => clearInterval(clockwork));
}

test("a user of the forge signs in with a personal access token, and gets core's own token of the hub's user", async () => {
  const login = await running.signIn("alice", token);
  expect([login.status, claimsOf(login).sub]).toEqual([200, "alice"]);
  expect(login.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
  });

  const pushing = await running.signIn("alice", token, push);
  expect(claimsOf(pushing).access).toEqual([{ type: "repository", name: "apps/web", actions: ["pull", "push"] }]);
  const several = await running.signIn("Alice", token, `${push} repository:library/node:pull`);
  expect(claimsOf(several).access.map(({ name }) => name)).toEqual(["apps/web", "library/node"]);
});

test.each([
  { scopes: ["api"], asked: push, status: 200 },
  { scopes: ["api"], asked: pull, status: 200 },
  { scopes: ["api", "read_user"], asked: "repository:apps/web:delete", status: 200 },
  { scopes: ["read_api"], asked: undefined, status: 200 },
  { scopes: ["read_api"], asked: pull, status: 200 },
  { scopes: ["read_api"], asked: "registry:catalog:*", status: 200 },
  { scopes: ["read_api"], asked: push, status: 401, needs: "api" },
  { scopes: ["read_api"], asked: "repository:apps/web:*", status: 401, needs: "api" },
  { scopes: ["read_api"], asked: `${pull} repository:apps/api:delete`, status: 401, needs: "api" },
  { scopes: ["read_user"], asked: undefined, status: 401, needs: "read_api" },
  { scopes: ["read_repository", "write_repository"], asked: pull, status: 401, needs: "read_api" },
  { scopes: ["read_user"], asked: push, status: 401, needs: "api" },
  { scopes: ["read_registry"], asked: pull, status: 401, needs: "read_api" },
])("a token with $scopes asks for $asked: $status", async ({ scopes, asked, status, needs }) => {
  running.forge.tokens.set(token, { id: 12, username: "alice", scopes });
  const reply = await running.signIn("alice", token, ...(asked ? [asked] : []));
  expect(reply.status).toBe(status);
  if (needs) {
    expect(messageOf(reply)).toBe(`This access token of the forge needs the scope ${needs}.`);
    expect(running.core.tokenCalls).toEqual([]);
  }
});

test("a token that only reads can't push by what core gives besides: it comes from an account that pulls", async () => {
  running.forge.tokens.set(token, { id: 12, username: "alice", scopes: ["read_api"] });
  for (const repository of ["apps/web", "apps/api"]) {
    const reply = await running.signIn("alice", token, `repository:${repository}:pull repository:secret/x:pull`);
    expect(claimsOf(reply)).toMatchObject({
      sub: "robot$hub-sign-in",
      access: [{ name: repository, actions: ["pull"] }],
    });
  }
  expect(running.core.robots).toMatchObject([
    {
      level: "system",
      duration: -1,
      disable: false,
      permissions: [{ namespace: "*", access: [{ resource: "repository", action: "pull" }] }],
    },
  ]);

  // Somebody deletes it, or gives it another password.
  for (const robot of running.core.robots.splice(0)) running.core.robots.push({ ...robot, secret: "Another-1" });
  expect(claimsOf(await running.signIn("alice", token, "repository:apps/third:pull")).sub).toBe("robot$hub-sign-in");
  running.core.robots.length = 0;
  expect(claimsOf(await running.signIn("alice", token, "repository:apps/fourth:pull")).sub).toBe("robot$hub-sign-in");
});

test("a token that only reads of a user who only pulls takes no other account", async () => {
  running.forge.tokens.set("glpat-guest-canary-0001", { id: 13, username: "guest", scopes: ["read_api"] });
  const reply = await running.signIn("guest", "glpat-guest-canary-0001", pull);
  expect(claimsOf(reply)).toMatchObject({ sub: "guest", access: [{ actions: ["pull"] }] });
  expect(running.core.robots).toEqual([]);
});

test.each([
  { what: "unknown", of: undefined, says: "The forge does not know this access token." },
  {
    what: "expired",
    of: { ended: "expired" },
    says: "This access token of the forge has expired. Make a new one there.",
  },
  {
    what: "revoked",
    of: { ended: "revoked" },
    says: "This access token of the forge was revoked. Make a new one there.",
  },
  { what: "of a blocked user", of: { state: "blocked" }, says: /blocked/ },
  { what: "not active by its own record", of: { active: false }, says: /was revoked/ },
  { what: "of a deactivated user", of: { state: "deactivated" }, says: /blocked/ },
  { what: "of a user whom a directory blocks", of: { state: "ldap_blocked" }, says: /blocked/ },
  { what: "of another user", of: { id: 13, username: "guest" }, says: /belongs to another user name/ },
  { what: "of another number than its user's", of: { owner: 13 }, says: /belongs to another user name/ },
  { what: "of a project", of: { bot: true }, says: /Take a robot of the hub/ },
  { what: "of another kind", of: { kind: "oauth" }, says: /takes personal access tokens/ },
] as const)(
  "a token that is $what: 401 with the reason, also where core would give one of what is public",
  async ({ of, says }) => {
    running.forge.tokens.clear();
    if (of) running.forge.tokens.set(token, { id: 12, username: "alice", scopes: ["api"], ...of });
    for (const scopes of [[], ["repository:library/node:pull"]]) {
      const reply = await running.signIn("alice", token, ...scopes);
      expect(reply.status).toBe(401);
      expect(messageOf(reply)).toMatch(says);
      expect(reply.headers["www-authenticate"]).toBe('Basic realm="hub.example.org"');
    }
    expect(running.core.tokenCalls).toEqual([]);
  },
);

test("a registry token that core made out to somebody else is given to nobody, whatever the token of the forge may", async () => {
  for (const scopes of [["api"], ["read_api"]]) {
    running.forge.tokens.set(token, { id: 12, username: "alice", scopes });
    running.core.madeOutTo = "guest";
    const reply = await running.signIn("alice", token, pull);
    expect([reply.status, messageOf(reply)]).toEqual([503, "The hub does not answer. Try again in a moment."]);
    delete running.core.madeOutTo;
    expect(claimsOf(await running.signIn("alice", token, `repository:apps/${scopes}:pull`)).sub).toMatch(
      /^alice$|^robot/,
    );
  }
});

test("who never signed on to the hub is told where to; a moment after it they are known", async () => {
  running.forge.tokens.set("glpat-new-canary-00001", { id: 77, username: "new", scopes: ["api"] });
  const reply = await running.signIn("new", "glpat-new-canary-00001");
  expect(reply.status).toBe(401);
  expect(messageOf(reply)).toBe(
    "The hub does not know you yet: sign in once at https://hub.example.org, then try again.",
  );
  running.core.users.push({ id: 5, name: "new", subiss: `77${issuer}`, secret: "New-cli-canary-1" });
  expect((await running.signIn("new", "glpat-new-canary-00001", pull)).status).toBe(200);
});

test("a user is known by the forge's number: renamed, it keeps its account, and who takes the old name does not get it", async () => {
  running.forge.tokens.set(token, { id: 12, username: "alice-smith", scopes: ["api"] });
  running.forge.tokens.set("glpat-heir-canary-0001", { id: 50, username: "alice", scopes: ["api"] });
  expect(claimsOf(await running.signIn("alice-smith", token)).sub).toBe("alice");
  const heir = await running.signIn("alice", "glpat-heir-canary-0001");
  expect([heir.status, messageOf(heir)]).toEqual([401, expect.stringContaining("sign in once")]);
  // The same number at another provider is another user.
  running.core.users.push({ id: 9, name: "other", subiss: "60https://gitlab.example.net", secret: "Other-cli-1" });
  running.forge.tokens.set("glpat-other-canary-001", { id: 60, username: "other", scopes: ["api"] });
  expect((await running.signIn("other", "glpat-other-canary-001")).status).toBe(401);
});

test("of many users each is read once, however many calls miss", async () => {
  for (let id = 100; id < 350; id++)
    running.core.users.push({ id, name: `user-${id}`, subiss: `${1000 + id}${issuer}`, secret: "Cli-1" });
  const reads = () => running.core.apiCalls.filter((each) => /\/users\/\d+$/.test(each)).length;
  const stranger = async (number: number) => {
    const secret = `glpat-stranger-${number}-canary`;
    running.forge.tokens.set(secret, { id: 9_000 + number, username: `stranger-${number}`, scopes: ["api"] });
    return (await running.signIn(`stranger-${number}`, secret)).status;
  };
  expect(await Promise.all([1, 2, 3].map(stranger))).toEqual([401, 401, 401]);
  expect(reads()).toBe(252);
  expect(await stranger(4)).toBe(401);
  expect(reads()).toBe(252);
  // One of them under a new name: the hub's search does not find it, and what was read does.
  running.forge.tokens.set("glpat-renamed-canary-1", { id: 1_120, username: "renamed", scopes: ["api"] });
  expect(claimsOf(await running.signIn("renamed", "glpat-renamed-canary-1")).sub).toBe("user-120");
  expect(reads()).toBe(253);
});

test("a user of the hub who was deleted and signed on again is found under the new number", async () => {
  expect((await running.signIn("alice", token)).status).toBe(200);
  running.core.users.splice(0, 1, {
    id: 40,
    name: "alice",
    subiss: `12${issuer}`,
    secret: "Second-cli-1",
    may: developer,
  });
  expect(claimsOf(await running.signIn("alice", token, pull)).sub).toBe("alice");
});

test("parallel logins of one user go one after the other, since core's token at the forge works once", async () => {
  running.core.latency = 20;
  const scopes = Array.from({ length: 8 }, (_, number) => `repository:apps/${number}:pull`);
  const replies = await Promise.all(scopes.map((scope) => running.signIn("alice", token, scope)));
  expect(replies.map((reply) => [reply.status, claimsOf(reply).sub])).toEqual(scopes.map(() => [200, "alice"]));
  expect(running.core.tokenCalls).toHaveLength(8);

  const same = await Promise.all(Array.from({ length: 8 }, () => running.signIn("alice", token, push)));
  expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  expect(running.core.tokenCalls).toHaveLength(9);
});

test("a session that another pod renews meanwhile is waited for, as long as a slow forge takes", async () => {
  const clock = new VirtualClock();
  const running = await startedOn(clock);
  running.core.latency = 80;
  const other = call(Number(new URL(running.core.url).port), tokenUrl(), {
    method: "GET",
    headers: { authorization: basic("alice", "Alice-cli-canary-1") },
  });
  while (running.core.tokenCalls.length === 0) await delay(5);
  const replies = await Promise.all([waitedFor(clock, running.signIn("alice", token, pull)), other]);
  expect(replies.map((reply) => [reply.status, claimsOf(reply).sub])).toEqual([
    [200, "alice"],
    [200, "alice"],
  ]);
});

test("when core can't renew the user's session it is asked again; then the user is told to sign in, the next time at once", async () => {
  const clock = new VirtualClock();
  const running = await startedOn(clock);
  const signIn = (...scopes: string[]) => waitedFor(clock, running.signIn("alice", token, ...scopes));
  running.core.failingRefreshes.set("alice", 3);
  expect(claimsOf(await signIn(pull)).sub).toBe("alice");
  expect(running.core.tokenCalls.splice(0)).toHaveLength(4);
  running.core.failingRefreshes.set("alice", 9);
  for (const [scopes, calls] of [
    [[], 4],
    [[push], 1],
  ] as const) {
    const reply = await signIn(...scopes);
    expect([reply.status, messageOf(reply)]).toEqual([
      401,
      "The hub's session with the forge has ended: sign in once at https://hub.example.org, then try again.",
    ]);
    expect(running.core.tokenCalls.splice(0)).toHaveLength(calls);
  }
  running.core.failingRefreshes.clear();
  expect(claimsOf(await signIn("repository:apps/api:pull")).sub).toBe("alice");
});

test("a CLI secret, a robot, the administrator and nobody are core's, and the forge is not asked", async () => {
  running.core.users.push({ id: 6, name: "long", subiss: `16${issuer}`, secret: "LongCliSecretOfTheHub0123456789" });
  running.core.robots.push({ id: 1, name: "robot$ci", secret: "Robot-canary-1234567890", permissions: [] });
  for (const [user, password] of [
    ["alice", "Alice-cli-canary-1"],
    ["long", "LongCliSecretOfTheHub0123456789"],
    ["robot$ci", "Robot-canary-1234567890"],
    ["robot$ci", "glpat-robot-canary-001"],
    ["admin", administratorPassword],
    ["admin", "glpat-admin-canary-001"],
  ] as const) {
    const expected = await call(Number(new URL(running.core.url).port), tokenUrl(pull), {
      method: "GET",
      headers: { authorization: basic(user, password) },
    });
    const reply = await running.signIn(user, password, pull);
    expect([reply.status, claimsOf(reply).sub], user).toEqual([expected.status, claimsOf(expected).sub]);
  }
  const nobody = await call(running.port, tokenUrl("repository:library/node:pull"), { method: "GET" });
  expect(claimsOf(nobody)).toMatchObject({ sub: "", access: [{ actions: ["pull"] }] });
  expect(running.forge.asked).toEqual([]);
});

test("a forge that marks its tokens otherwise: core is asked first, and a password nobody knows gets core's own answer", async () => {
  running.forge.tokens.set("acme-token-canary-0001", { id: 12, username: "alice", scopes: ["api"] });
  running.forge.tokens.set("old_token_canary_00001", { id: 12, username: "alice", scopes: ["api"], ended: "expired" });
  expect(claimsOf(await running.signIn("alice", "acme-token-canary-0001", push)).sub).toBe("alice");
  expect(messageOf(await running.signIn("alice", "old_token_canary_00001", pull))).toContain("has expired");
  const wrong = await running.signIn("alice", "WrongCliSecretOfTheHub012345", "repository:library/node:pull");
  expect([wrong.status, claimsOf(wrong).sub]).toEqual([200, ""]);
  expect((await running.signIn("alice", "WrongCliSecretOfTheHub012345")).status).toBe(401);
});

test("what is not ours passes unchanged: method, query, headers, body, status and every header of the answer", async () => {
  const query = "/service/token?service=harbor-registry&scope=repository%3Aa%2Fb%3Apull&account=x&offline_token=true";
  const body = "grant_type=password&username=alice&password=x";
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    "x-forwarded-proto": "https",
    host: "hub.example.org",
    "x-twice": "1",
  };
  for (const method of ["GET", "POST", "PUT"]) {
    const sent = { method, headers, ...(method !== "GET" && { body }) };
    const direct = await call(Number(new URL(running.core.url).port), query, sent);
    const reply = await call(running.port, query, sent);
    const [wanted, seen] = running.core.tokenCalls.splice(0);
    const comparable = (raw: readonly string[] = []) =>
      raw.flatMap((name, index) => {
        const kept = index % 2 === 0 && !/^connection$/i.test(name);
        return kept ? [`${name.toLowerCase()}: ${raw[index + 1]}`] : [];
      });
    expect({ ...seen, rawHeaders: comparable(seen?.rawHeaders).sort() }).toEqual({
      ...wanted,
      rawHeaders: comparable(wanted?.rawHeaders).sort(),
    });
    const {
      "x-request-id": number,
      date,
      connection,
      "keep-alive": _,
      "transfer-encoding": __,
      ...kept
    } = direct.headers;
    expect(reply.status).toBe(direct.status);
    expect(reply.headers).toMatchObject(kept);
    expect(reply.headers["x-request-id"]).toMatch(/^request-/);
    if (method !== "GET") expect(reply.body).toBe(direct.body);
  }
  expect(
    (
      await call(running.port, "/service/token?service=other", {
        method: "GET",
        headers: { authorization: basic("alice", token) },
      })
    ).status,
  ).toBe(400);
  expect((await call(running.port, "/api/v2.0/users", { method: "GET" })).status).toBe(404);
  expect(running.core.apiCalls).toEqual([]);
});

test("a forge or a core that does not answer: 503, to be tried again", async () => {
  for (const fails of ["cut", 500, 502, 429, 404] as const) {
    running.forge.fails = fails;
    const reply = await running.signIn("alice", token, pull);
    expect([reply.status, reply.headers["retry-after"], messageOf(reply)]).toEqual([
      503,
      "5",
      "The forge does not answer. Try again in a moment.",
    ]);
  }
  delete running.forge.fails;
  for (const fails of ["cut", 500] as const) {
    running.core.fails = fails;
    const reply = await running.signIn("alice", token, pull);
    expect([reply.status, messageOf(reply)]).toEqual([503, "The hub does not answer. Try again in a moment."]);
  }
  const passed = await running.signIn("robot$ci", "x");
  expect([passed.status, passed.body]).toEqual([500, "broken"]);
  running.core.fails = "cut";
  expect((await running.signIn("robot$ci", "x")).headers["retry-after"]).toBe("5");
  delete running.core.fails;
  expect((await running.signIn("alice", token, pull)).status).toBe(200);
});

test("somebody who tries the administrator's password locks it for a moment, which holds a sign-in up and no more", async () => {
  const clock = new VirtualClock();
  const running = await startedOn(clock);
  const signIn = (...scopes: string[]) => waitedFor(clock, running.signIn("alice", token, ...scopes));
  await running.signIn("admin", "Wrong-1", pull);
  expect(running.core.lockedUntil).toBeGreaterThan(clock.now());
  expect((await signIn(pull)).status).toBe(200);
  running.core.password = "Changed-by-hand-1";
  const reply = await signIn(push);
  expect([reply.status, messageOf(reply)]).toEqual([
    503,
    "The hub refuses its sign-in adapter. Try again in a moment.",
  ]);
});

test("a registry token is given again for the same call alone, and a token that was revoked meanwhile gets no other", async () => {
  const first = await running.signIn("alice", token, pull);
  expect((await running.signIn("alice", token, pull)).body).toBe(first.body);
  expect((await running.signIn("alice", `${token}x`, pull)).status).toBe(401);
  expect((await running.signIn("guest", token, pull)).status).toBe(401);
  running.forge.tokens.set(token, { id: 12, username: "alice", scopes: ["api"], ended: "revoked" });
  expect((await running.signIn("alice", token, push)).status).toBe(401);
});

test("calls under way are finished when the service ends", async () => {
  running.forge.latency = 100;
  const reply = running.signIn("alice", token, pull);
  while (running.forge.asking === 0) await delay(5);
  const stopped = running.stop();
  expect((await reply).status).toBe(200);
  await stopped;
  running = await startBetween();
});
