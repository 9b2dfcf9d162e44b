import { connect } from "node:net";
import { LineBuffer } from "@hearth-platform/site-webhook/line-buffer";
import { Log, loggedPath } from "@hearth-platform/site-webhook/log";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { call, startWithApi, until } from "./support/service.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

let service: Awaited<ReturnType<typeof startWithApi>>;
beforeAll(async () => {
  service = await startWithApi();
  service.api.addSite("pages", "docs");
});
afterAll(() => service.stop());
beforeEach(() => {
  service.lines.length = 0;
});

/** Writes bytes as they are, since Node's client refuses the worst of them. */
function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, "127.0.0.1", () => socket.write(Buffer.from(bytes, "latin1")));
    let text = "";
    socket.on("data", (part) => {
      text += part.toString("latin1");
      socket.end();
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
}

test("a call is one line of JSON with what is needed to find it again", async () => {
  await call(service.port, "/sync/pages/docs?token=hidden", {
    headers: { "x-github-event": "push", "x-github-delivery": "72d3162e-cc78-11e3", authorization: "Bearer hidden" },
    body: "hidden",
  });
  const [line, ...others] = service.lines;
  expect(others).toEqual([]);
  expect(JSON.parse(line ?? "")).toEqual({
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: "info",
    msg: "request",
    method: "POST",
    route: "/sync/:namespace/:site",
    namespace: "pages",
    site: "docs",
    status: 202,
    outcome: "triggered",
    ms: expect.any(Number),
    api_status: 200,
    delivery: "72d3162e-cc78-11e3",
    event: "push",
  });
  expect(line).not.toContain("hidden");
  expect(line).not.toContain("first-token");
});

test("a failure says why, for the operator alone", async () => {
  service.api.addSite("pages", "failing");
  service.api.faultOf = () => "forbidden";
  const { body } = await call(service.port, "/sync/pages/failing");
  service.api.faultOf = () => undefined;
  expect(body).toBe("");
  expect(JSON.parse(service.lines[0] ?? "")).toMatchObject({
    level: "error",
    outcome: "error",
    api_status: 403,
    reason: "refused",
  });
});

const injections = [
  "/sync/pages/%0a%7B%22level%22%3A%22error%22%7D",
  "/sync/pages/%1b%5B31m",
  "/sync/pages/%E2%80%A8x",
  "/sync/pages/%00",
  '/sync/pages/","level":"error',
  "/sync/pages/\\u000a",
  "/sync/pages/\u2028\u0085",
  "/sync/pages/é\u009b31m",
  `/sync/pages/${"a".repeat(12_000)}`,
  "/\u00ff\u00fe",
];

test.each(injections.map((path) => [path.slice(0, 40), path]))(
  "a path can't write into the log: %j",
  async (_, path) => {
    await sendRaw(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nX-GitHub-Delivery: a"b\u0085\u009b\r\nConnection: close\r\n\r\n`,
    );
    for (const line of service.lines) {
      expect(() => JSON.parse(line)).not.toThrow();
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      expect(line.length).toBeLessThan(600);
      expect(JSON.parse(line).msg).toBe("request");
    }
  },
);

test.each(['x"\\', "\u0085\u009b\u00ff", "a".repeat(4_000), "\t"])(
  "an event's name or id can't either: %j",
  async (value) => {
    await sendRaw(
      `POST /sync/pages/docs HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nX-GitHub-Event: ${value}\r\nX-GitHub-Delivery: ${value}\r\nConnection: close\r\n\r\n`,
    );
    await until(() => service.lines.length > 0);
    for (const line of service.lines) {
      expect(line).toMatch(/^[\x20-\x7e]+$/);
      expect(line.length).toBeLessThan(600);
      expect(() => JSON.parse(line)).not.toThrow();
    }
  },
);

test("a path is escaped and cut", () => {
  expect(loggedPath("/a b\n\u2028é?secret")).toBe("/a%20b%0a%2028%e9");
  expect(loggedPath(`/${"x".repeat(1_000)}`)).toHaveLength(128);
});

test("a flood writes a bounded number of lines, and how many were left out", async () => {
  const lines: string[] = [];
  const clock = new VirtualClock();
  const log = new Log((line) => lines.push(line), clock);
  for (let number = 0; number < 100_000; number += 1) log.request("info", () => ({ number }));
  expect(lines).toHaveLength(400);
  await clock.advance(1_000);
  log.request("info", () => ({ number: -1 }));
  expect(JSON.parse(lines[400] ?? "")).toMatchObject({ level: "warn", count: 99_600 });
  expect(JSON.parse(lines[401] ?? "")).toMatchObject({ number: -1 });
});

test("writes the lines of one turn together, and at once when the process ends", async () => {
  const written: string[] = [];
  const lines = new LineBuffer((text) => written.push(text));
  lines.write("one\n");
  lines.write("two\n");
  expect(written).toEqual([]);
  await new Promise((done) => setImmediate(done));
  expect(written).toEqual(["one\ntwo\n"]);
  lines.write("three\n");
  lines.flush();
  expect(written).toEqual(["one\ntwo\n", "three\n"]);
});
