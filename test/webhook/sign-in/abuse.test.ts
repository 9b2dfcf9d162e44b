import { writeFile } from "node:fs/promises";
import { Serial } from "@hearth-platform/site-webhook/sign-in/serial";
import { afterEach, beforeEach, expect, test } from "vitest";
import { call, until } from "../support/service.ts";
import {
  administratorPassword,
  basic,
  issuer,
  newcomers,
  type RunningSignIn,
  startBetween,
  tokenUrl,
} from "./running.ts";

let running: RunningSignIn;
beforeEach(async () => {
  running = await startBetween();
  running.core.users.push({
    id: 3,
    name: "alice",
    subiss: `12${issuer}`,
    secret: "Alice-cli-canary-1",
    may: { apps: ["pull", "push"] },
  });
  running.forge.tokens.set("glpat-alice-canary-0001", { id: 12, username: "alice", scopes: ["api"] });
});
afterEach(() => running.stop());

test("who tries tokens from everywhere asks the forge 20 times a second at most, and does not hold up who is known", async () => {
  expect((await running.signIn("alice", "glpat-alice-canary-0001")).status).toBe(200);
  running.forge.asked.length = 0;
  const begun = performance.now();
  const tries = Array.from({ length: 300 }, (_, number) =>
    running.signInFrom(`192.0.2.${number % 250}`, "alice", `glpat-guess-canary-${number}-0`),
  );
  const known = await running.signIn("alice", "glpat-alice-canary-0001", "repository:apps/web:pull");
  expect(known.status).toBe(200);
  const replies = await Promise.all(tries);
  const seconds = (performance.now() - begun) / 1000;
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401, 503]));
  expect(
    replies.filter(({ status, headers }) => status === 503 && headers["retry-after"] === "1").length,
  ).toBeGreaterThan(100);
  expect(running.forge.asked.length).toBeLessThanOrEqual(2 + 20 + seconds * 10 + 5);
  expect(running.forge.mostAsking).toBeLessThanOrEqual(16);
});

/** Keeps so many connections of one address busy until it is told to stop. */
function besiege(many: number, password: (count: number) => string): () => Promise<Map<number, number>> {
  let under = true;
  let count = 0;
  const answers = new Map<number, number>();
  const busy = Array.from({ length: many }, async () => {
    while (under) {
      const { status } = await running.signInFrom("203.0.113.9", "alice", password(++count));
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  });
  return async () => {
    under = false;
    await Promise.all(busy);
    return answers;
  };
}

test.each([
  ["made-up tokens", (count: number) => `glpat-guess-canary-${count}-00`],
  ["made-up passwords", (count: number) => `a-guessed-password-canary-${count}`],
])(
  "150 connections of one source with %s fail no first sign-in of others",
  async (_, password) => {
    running.forge.latency = 20;
    // Core holds up each wrong password.
    running.core.wrongPasswordLatency = 1_500;
    const users = newcomers(running, 30);
    const stop = besiege(150, password);
    await until(() => running.lines.length > 20);
    const replies = await Promise.all(
      users.map(({ address, user, token }) => running.signInFrom(address, user, token)),
    );
    const answers = await stop();
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    expect([...answers.keys()].sort()).toEqual([401, 429]);
  },
  60_000,
);

test("a token that was refused is not asked after again for a while", async () => {
  for (let count = 0; count < 50; count++)
    expect((await running.signIn("alice", "glpat-guess-canary-0000")).status).toBe(401);
  expect(running.forge.asked).toHaveLength(1);
});

test("so many sign-ins of one user wait for each other and no more; another user's do not wait", async () => {
  const serial = new Serial(32);
  const { promise, resolve } = Promise.withResolvers<void>();
  const line = Array.from({ length: 40 }, (_, number) => serial.run(1, () => promise.then(() => number)));
  expect(await serial.run(2, async () => "another")).toBe("another");
  resolve();
  const done = await Promise.all(line);
  expect(done).toEqual([...Array(33).keys(), ...Array(7).fill(undefined)]);
  // A task that fails holds nobody up, and nothing stays behind.
  await expect(serial.run(1, () => Promise.reject(new Error("x")))).rejects.toThrow("x");
  const [failed, next] = await Promise.allSettled([
    serial.run(1, () => Promise.reject(new Error("x"))),
    serial.run(1, async () => "next"),
  ]);
  expect([failed.status, next]).toEqual(["rejected", { status: "fulfilled", value: "next" }]);
  expect(serial.keys).toBe(0);
});

test("of one user 32 sign-ins wait behind the one under way, and the others are told to come again", async () => {
  const pull = (number: number) => `repository:apps/${number}:pull`;
  expect((await running.signIn("alice", "glpat-alice-canary-0001")).status).toBe(200);
  const { promise, resolve } = Promise.withResolvers<void>();
  running.core.held = promise;
  const shed: string[] = [];
  const replies = Array.from({ length: 36 }, async (_, number) => {
    const reply = await running.signIn("alice", "glpat-alice-canary-0001", pull(number));
    if (reply.status === 503) shed.push(pull(number));
    return reply.status;
  });
  await until(() => shed.length === 3);
  resolve();
  expect((await Promise.all(replies)).filter((status) => status === 200)).toHaveLength(33);
  expect(shed).toHaveLength(3);
});

test("a body over 64 KiB is not taken, whether it says so or not", async () => {
  const body = "x".repeat(70_000);
  expect((await call(running.port, tokenUrl(), { body })).status).toBe(413);
  expect((await call(running.port, tokenUrl(), { body, headers: { "transfer-encoding": "chunked" } })).status).toBe(
    413,
  );
  expect(running.core.tokenCalls).toEqual([]);
});

test.each([
  "Basic",
  "Basic ====",
  "Basic YWxpY2U=",
  `Basic ${btoa(":glpat-alice-canary-0001")}`,
  `Basic ${btoa("alice:")}`,
  `Basic ${btoa("alice:glpat-a\r\nb-canary-000001")}`,
  `Basic ${btoa("alice:glpat-alice canary-0001")}`,
  "Bearer glpat-alice-canary-0001",
  "Negotiate x",
])("a header that is no name and token, %j, is core's to judge", async (authorization) => {
  const reply = await call(running.port, tokenUrl(), { method: "GET", headers: { authorization } });
  expect(reply.status).toBe(401);
  expect(running.core.tokenCalls.at(-1)?.rawHeaders).toContain(authorization);
  expect(running.forge.asked).toEqual([]);
});

test("no secret gets into a log, a metric or a refusal, whatever goes wrong", async () => {
  running.forge.tokens.set("glpat-reads-canary-0001", { id: 12, username: "alice", scopes: ["read_api"] });
  running.forge.tokens.set("glpat-ended-canary-0001", { id: 12, username: "alice", scopes: ["api"], ended: "expired" });
  const said: string[] = [];
  const tell = async (user: string, password: string, ...scopes: string[]) => {
    const { status, body } = await running.signIn(user, password, ...scopes);
    if (status !== 200) said.push(body);
  };
  for (const name of ["alice", "reads", "ended", "none"])
    await tell("alice", `glpat-${name}-canary-0001`, "repository:apps/web:pull");
  await tell("alice", "Alice-cli-canary-1");
  await tell("admin", administratorPassword);
  await tell("admin", "Wrong-canary-1");
  await call(running.port, tokenUrl(), { body: "password=posted-canary-1" });
  await call(running.port, "/canary/path?canary=1", { method: "GET" });
  for (const part of [running.forge, running.core]) {
    part.fails = "cut";
    await tell("alice", "glpat-later-canary-0001");
    part.fails = 500;
    await tell("alice", "glpat-later-canary-0002", "repository:canary/a:pull");
    delete part.fails;
  }
  const metrics = await call(running.operationsPort, "/metrics", { method: "GET" });
  const all = [...running.lines, ...said, metrics.body].join("\n");
  expect(running.lines.length).toBeGreaterThan(10);
  expect(all).not.toMatch(/canary/i);
  expect(all).not.toMatch(/alice|Basic [A-Za-z0-9+/]|eyJ/);
});

test("probes and metrics: ready with the password, what happened by outcome and reason", async () => {
  await running.signIn("alice", "glpat-alice-canary-0001", "repository:apps/web:pull");
  await running.signIn("alice", "glpat-none-canary-00001");
  await running.signIn("robot$ci", "x");
  const ask = (path: string) => call(running.operationsPort, path, { method: "GET" });
  expect((await ask("/livez")).status).toBe(200);
  expect((await ask("/readyz")).body).toBe('{"status":"ok"}');
  const { body } = await ask("/metrics");
  expect(body).toContain('hub_sign_in_total{outcome="issued",reason=""} 1');
  expect(body).toContain('hub_sign_in_total{outcome="denied",reason="unknown"} 1');
  expect(body).toContain('hub_sign_in_total{outcome="passed",reason=""} 1');
  expect(body).toContain('upstream_requests_total{to="forge",code="200"} 2');
  expect(body).toContain("hub_users_remembered 1");
});

test("before the first call each outcome with its reason is counted as 0, so that Prometheus sees the first ones as an increase", async () => {
  const fresh = await startBetween();
  const { body } = await call(fresh.operationsPort, "/metrics", { method: "GET" });
  await fresh.stop();
  const counted = [...body.matchAll(/^hub_sign_in_total\{outcome="(\w+)",reason="(\w*)"\} 0$/gm)];
  expect(counted.map(([, outcome, reason]) => `${outcome} ${reason}`.trim()).sort()).toEqual([
    ...[
      "blocked",
      "bot",
      "expired",
      "kind",
      "not_signed_on",
      "owner",
      "revoked",
      "scope",
      "session_ended",
      "unknown",
    ].map((reason) => `denied ${reason}`),
    ...["broken", "late", "unexpected"].map((reason) => `error ${reason}`),
    ...["issued", "not_found", "passed", "shed budget", "shed closing", "shed in_flight", "shed source", "too_large"],
    ...["administrator", "core", "forge", "reading_users"].map((reason) => `unavailable ${reason}`),
  ]);
});

test("without the administrator's password the pod is not ready, and says why", async () => {
  const other = await startBetween();
  await writeFile(other.passwordFile, "\n");
  const reply = await call(other.operationsPort, "/readyz", { method: "GET" });
  await other.stop();
  expect([reply.status, reply.body]).toEqual([
    503,
    expect.stringContaining("the administrator's password can't be read"),
  ]);
});

test("the tokens of two calls at once don't mix", async () => {
  running.core.users.push({ id: 8, name: "bob", subiss: `14${issuer}`, secret: "Bob-cli-canary-1" });
  running.forge.tokens.set("glpat-bob-canary-000001", { id: 14, username: "bob", scopes: ["api"] });
  running.core.latency = 10;
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, number) => {
      const [user, token] =
        number % 2 === 0 ? ["alice", "glpat-alice-canary-0001"] : ["bob", "glpat-bob-canary-000001"];
      const headers = { authorization: basic(user ?? "", token ?? "") };
      return call(running.port, tokenUrl(`repository:apps/${number}:pull`), { method: "GET", headers });
    }),
  );
  const subjects = replies.map(
    ({ body }) => JSON.parse(Buffer.from(JSON.parse(body).token.split(".")[1], "base64url").toString()).sub,
  );
  expect(subjects).toEqual(replies.map((_, number) => (number % 2 === 0 ? "alice" : "bob")));
  await until(() => running.lines.length > 20);
});
