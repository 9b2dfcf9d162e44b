import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { Log } from "@hearth-platform/site-webhook/log";
import { createSignInApp, type SignInAppParts } from "@hearth-platform/site-webhook/sign-in/app";
import { Attempts } from "@hearth-platform/site-webhook/sign-in/attempts";
import type { Core } from "@hearth-platform/site-webhook/sign-in/core";
import type { SignIn } from "@hearth-platform/site-webhook/sign-in/sign-in";
import { Sources } from "@hearth-platform/site-webhook/sign-in/source";
import { SignInTelemetry } from "@hearth-platform/site-webhook/sign-in/telemetry";
import { expect, test } from "vitest";
import { VirtualClock } from "../support/virtual-clock.ts";
import { basic, tokenUrl } from "./running.ts";

type SignInVerdict = Awaited<ReturnType<SignIn["decide"]>>;

const passed = { status: 200, headers: {}, rawHeaders: [], body: Buffer.from("{}") };

/** The token endpoint on its own. Core answers all it is asked, and `decide` what comes with a token of the forge. */
function appWith({ decide, pass, ...parts }: Partial<SignInAppParts & Pick<SignIn, "decide"> & Pick<Core, "pass">>) {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const telemetry = new SignInTelemetry(new Log((line) => lines.push(line), clock), clock);
  const app = createSignInApp({
    signIn: { decide: decide ?? (async () => ({ outcome: "shed" })) } as SignIn,
    core: { pass: pass ?? (async () => passed) } as unknown as Core,
    attempts: new Attempts({ burst: 10, perSecond: 1, waiting: 10 }, clock),
    sources: new Sources([]),
    ...{ telemetry, clock, administrator: "admin", hub: "https://hub.example.org", closing: () => false },
    ...parts,
  });
  const call = (method: string, headers: Record<string, string> = {}) => {
    const body = new PassThrough();
    const incoming = Object.assign(body, {
      ...{ headers, method, url: tokenUrl(), socket: { remoteAddress: "127.0.0.1" } },
    }) as unknown as IncomingMessage;
    const sent = new Request(`http://hub${tokenUrl()}`, { method });
    return { body, answer: Promise.resolve(app.fetch(sent, { incoming, outgoing: {} as ServerResponse })) };
  };
  return { call, telemetry, last: () => JSON.parse(lines.at(-1) ?? "{}") };
}

test("of calls under way 512 are answered, and one more is told to come again", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { call, last } = appWith({ pass: () => promise.then(() => passed) });
  const answers = Array.from({ length: 513 }, () => call("GET").answer);
  await new Promise((done) => setImmediate(done));
  // The others wait for core.
  expect(last()).toMatchObject({ level: "warn", outcome: "shed", reason: "in_flight" });
  resolve();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses).toEqual([...Array(512).fill(200), 503]);
  expect((await answers.at(-1))?.headers.get("retry-after")).toBe("1");
});

test("a call whose body breaks off is core's no more", async () => {
  const asked: string[] = [];
  const { call, last } = appWith({
    pass: async ({ method = "" }) => {
      asked.push(method);
      return passed;
    },
  });
  const { body, answer } = call("POST", { "content-length": "10" });
  body.write("half");
  body.destroy();
  expect((await answer).status).toBe(400);
  expect(last()).toMatchObject({ level: "error", outcome: "error", reason: "broken" });
  expect(asked).toEqual([]);
});

test("a body of exactly 64 KiB is core's, and of one byte more is not taken", async () => {
  for (const [length, status] of [
    [64 * 1024, 200],
    [64 * 1024 + 1, 413],
  ] as const) {
    const { call } = appWith({});
    const { body, answer } = call("POST", { "transfer-encoding": "chunked" });
    body.end(Buffer.alloc(length));
    expect((await answer).status).toBe(status);
  }
});

test("a token of the forge is looked at where docker's clients send it, and all else is core's", async () => {
  const authorization = basic("alice", "glpat-alice-canary-0001");
  const asked: string[] = [];
  const { call } = appWith({
    decide: async () => {
      asked.push("forge");
      return { outcome: "denied", reason: "expired" };
    },
    pass: async ({ method = "" }) => {
      asked.push(`core ${method}`);
      return passed;
    },
  });
  for (const method of ["GET", "POST", "HEAD"]) {
    const { body, answer } = call(method, { authorization });
    body.end();
    await answer;
  }
  expect(asked).toEqual(["forge", "core POST", "core HEAD"]);
});

test.each<[SignInVerdict, "counts" | "costs nothing"]>([
  [{ outcome: "denied", reason: "unknown" }, "counts"],
  [{ outcome: "denied", reason: "expired" }, "counts"],
  [{ outcome: "denied", reason: "owner" }, "counts"],
  // The token is right: the hub does not know its owner, or not any more.
  [{ outcome: "denied", reason: "not_signed_on" }, "costs nothing"],
  [{ outcome: "denied", reason: "session_ended" }, "costs nothing"],
  [{ outcome: "denied", reason: "unknown", remembered: true }, "costs nothing"],
  [{ outcome: "unavailable", reason: "forge" }, "costs nothing"],
  [{ outcome: "shed" }, "costs nothing"],
  [{ outcome: "issued", body: Buffer.from("{}") }, "costs nothing"],
])("of what an address may fail, %j %s", async (verdict, cost) => {
  const attempts = new Attempts({ burst: 1, perSecond: 0.001, waiting: 0 }, new VirtualClock());
  const { call } = appWith({ attempts, decide: async () => verdict });
  const statuses = [];
  for (const token of ["glpat-alice-canary-0001", "glpat-alice-canary-0002"])
    statuses.push((await call("GET", { authorization: basic("alice", token) }).answer).status);
  expect(statuses[1] === 429).toBe(cost === "counts");
});

test("a sign-in that throws is an error of ours without a word of why, and is no longer under way", async () => {
  const { call, telemetry, last } = appWith({ decide: () => Promise.reject(new Error("glpat-canary")) });
  const { answer } = call("GET", { authorization: basic("alice", "glpat-alice-canary-0001") });
  const { status } = await answer;
  expect([status, await (await answer).text()]).toEqual([500, expect.not.stringContaining("canary")]);
  expect(last()).toMatchObject({ level: "error", outcome: "error", reason: "unexpected" });
  expect(telemetry.inFlight).toBe(0);
});

test("who is not served answers an error, and who is refused none, in the log", async () => {
  for (const [verdict, level] of [
    [{ outcome: "unavailable", reason: "forge" }, "error"],
    [{ outcome: "denied", reason: "expired" }, "info"],
  ] as const) {
    const { call, last } = appWith({ decide: async () => verdict });
    await call("GET", { authorization: basic("alice", "glpat-alice-canary-0001") }).answer;
    expect(last()).toMatchObject({ level, ...verdict });
  }
});

test("a call on an open connection is its last once the server takes no new ones", async () => {
  const { call, last } = appWith({ closing: () => true });
  const { status, headers } = await call("GET").answer;
  expect([status, headers.get("connection")]).toEqual([503, "close"]);
  expect(last()).toMatchObject({ outcome: "shed", reason: "closing" });
});
