import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { createApp, type SyncAppParts } from "@hearth-platform/site-webhook/app";
import { Log } from "@hearth-platform/site-webhook/log";
import type { Secrets } from "@hearth-platform/site-webhook/secrets";
import type { SiteSyncs } from "@hearth-platform/site-webhook/site-syncs";
import { Telemetry } from "@hearth-platform/site-webhook/telemetry";
import { expect, test } from "vitest";
import { VirtualClock } from "./support/virtual-clock.ts";

/** The routes on their own: sites are synced at once, unless `syncs` says otherwise. */
function appWith(parts: Partial<SyncAppParts> = {}) {
  const lines: string[] = [];
  const asked: string[] = [];
  const clock = new VirtualClock();
  const telemetry = new Telemetry(new Log((line) => lines.push(line), clock), clock);
  const request: SiteSyncs["request"] = async ({ namespace, name }) => {
    asked.push(`${namespace}/${name}`);
    return { outcome: "written", merged: false };
  };
  const syncs = { request } as SiteSyncs;
  const app = createApp({
    ...{ syncs, secrets: undefined, namespaces: undefined, telemetry, closing: () => false },
    ...parts,
  });
  /** Sends a call whose body the test writes into `body`. */
  const call = (headers: Record<string, string> = {}, path = "/sync/pages/docs") => {
    const body = new PassThrough();
    const incoming = Object.assign(body, { headers, method: "POST", url: path });
    const bindings = { incoming: incoming as unknown as IncomingMessage, outgoing: {} as ServerResponse };
    const sent = new Request(`http://webhook${path}`, { method: "POST" });
    return { body, answer: Promise.resolve(app.fetch(sent, bindings)) };
  };
  return { call, asked, outcomes: () => lines.map((line) => JSON.parse(line)), telemetry };
}

/** Writes so many megabytes, and ends. */
async function fill(body: PassThrough, megabytes: number): Promise<void> {
  const part = Buffer.alloc(1024 * 1024);
  for (let sent = 0; sent < megabytes; sent += 1)
    if (!body.write(part)) await new Promise((done) => body.once("drain", done));
  body.end();
}

/** Knows the right token, whatever the body is. */
const rightToken = { check: async () => ({ update() {}, passes: () => true }) } as unknown as Secrets;

test("sites of namespaces that are not served do not exist for callers, and nothing is asked about them", async () => {
  const { call, asked } = appWith({ namespaces: new Set(["pages", "team"]) });
  const statuses = [];
  for (const path of ["/sync/pages/docs", "/sync/other/docs", "/sync/team/docs", "/sync/page/docs"])
    statuses.push((await call({}, path).answer).status);
  expect(statuses).toEqual([202, 404, 202, 404]);
  expect(asked).toEqual(["pages/docs", "team/docs"]);
});

test("of calls under way 1,024 are answered, and one more is sent away", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const request: SiteSyncs["request"] = () => promise.then(() => ({ outcome: "written", merged: true }));
  const { call, outcomes } = appWith({ syncs: { request } as SiteSyncs });
  const answers = Array.from({ length: 1_025 }, () => call().answer);
  await new Promise((done) => setImmediate(done));
  // The others wait for their sites.
  expect(outcomes()).toMatchObject([{ outcome: "shed", reason: "in_flight" }]);
  resolve();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses).toEqual([...Array(1_024).fill(202), 503]);
  expect((await answers.at(-1))?.headers.get("retry-after")).toBe("1");
});

test("a call whose body breaks off syncs nothing, though its token is right, and is its connection's last", async () => {
  const { call, asked } = appWith({ secrets: rightToken });
  const { body, answer } = call({ "content-length": "10" });
  body.write("half");
  body.destroy();
  const { status, headers } = await answer;
  expect([status, headers.get("connection")]).toEqual([403, "close"]);
  expect(asked).toEqual([]);
});

test("a call whose body is larger than it said syncs nothing, though its token is right", async () => {
  const { call, asked } = appWith({ secrets: rightToken });
  const { body, answer } = call({ "transfer-encoding": "chunked" });
  await fill(body, 27);
  expect((await answer).status).toBe(413);
  expect(asked).toEqual([]);
});

test.each([
  ["to no site that can be", "/sync/Pages/docs", {}],
  ["of an event that is no push", "/sync/pages/docs", { "x-github-event": "issues" }],
])("a call %s whose body is larger than it said is 413, and its connection's last", async (_, path, headers) => {
  const { call } = appWith();
  const { body, answer } = call({ ...headers, "transfer-encoding": "chunked" }, path);
  await fill(body, 27);
  const { status, headers: sent } = await answer;
  expect([status, sent.get("connection")]).toEqual([413, "close"]);
});

test.each([
  ["that needs no secret", {}, {}, 202],
  ["of an event that is no push", {}, { "x-github-event": "issues" }, 204],
])("a call %s whose body breaks off is answered, and is its connection's last", async (_, parts, headers, status) => {
  const { call } = appWith(parts);
  const { body, answer } = call({ ...headers, "content-length": "10" });
  body.destroy();
  const answered = await answer;
  expect([answered.status, answered.headers.get("connection")]).toEqual([status, "close"]);
});

test("a call on an open connection is sent away once the server takes no new ones", async () => {
  const { call, asked, outcomes } = appWith({ closing: () => true });
  const { status, headers } = await call().answer;
  expect([status, headers.get("connection")]).toEqual([503, "close"]);
  expect(asked).toEqual([]);
  expect(outcomes()).toMatchObject([{ level: "warn", outcome: "shed", reason: "closing" }]);
});
