import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, startWithApi } from "./support/service.ts";

const allowedPath =
  /^\/apis\/pages\.kup6s\.com\/v1beta1\/namespaces\/[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\/staticsites\/[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?\?fieldManager=hearth-site-webhook&fieldValidation=Strict(?:&dryRun=All)?$/;

let service: Awaited<ReturnType<typeof startWithApi>>;
beforeAll(async () => {
  service = await startWithApi({ API_WRITES_PER_SECOND: "10000", API_WRITES_BURST: "10000" });
});
afterAll(() => service.stop());

/** Sends bytes and reads until the server closes, or has answered and says nothing more. */
function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(service.port, "127.0.0.1", () => socket.end(bytes));
    let text = "";
    socket.on("data", (part) => {
      text += part.toString("latin1");
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
}

const bytes = fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array).toString("latin1"));
const escapedBytes = fc
  .uint8Array({ minLength: 1, maxLength: 8 })
  .map((array) => array.reduce((text, byte) => `${text}%${byte.toString(16).padStart(2, "0")}`, ""));
const piece = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      "..",
      ".",
      "%2e%2e",
      "%2F",
      "%5c",
      "\\",
      "%00",
      "%0a",
      "%0d%0a",
      "%",
      "%zz",
      "%u2028",
      "?",
      "#",
      "%3F",
      "%23",
      ";",
      ":",
      "@",
      "//",
      "a",
      "site",
      "pages",
      "sync",
      "*",
      "+",
      "%25",
      "%252F",
      "é",
      "[",
      "]",
      "~",
      "A",
    ),
  },
  { weight: 10, arbitrary: escapedBytes },
  { weight: 1, arbitrary: bytes },
);
const segment = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(""));
const target = fc.oneof(
  { weight: 2, arbitrary: fc.nat(99).map((number) => `/sync/p%61ges/site%2D${number}?a/../b`) },
  { weight: 6, arbitrary: fc.tuple(segment, segment).map(([namespace, name]) => `/sync/${namespace}/${name}`) },
  { weight: 2, arbitrary: fc.array(segment, { maxLength: 6 }).map((segments) => `/${segments.join("/")}`) },
  { weight: 1, arbitrary: segment },
  {
    weight: 1,
    arbitrary: fc.constantFrom("http://evil.example/sync/a/b", "*", "evil.example:443", "http://[::1/sync/a/b"),
  },
);
const method = fc.oneof(
  { weight: 5, arbitrary: fc.constant("POST") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "GET",
      "HEAD",
      "PUT",
      "TRACE",
      "CONNECT",
      "OPTIONS",
      "QUERY",
      "PRI",
      "post",
      "M-SEARCH",
      "LOCK",
    ),
  },
  { weight: 1, arbitrary: bytes },
);
const header = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      "Host",
      "Content-Length",
      "Transfer-Encoding",
      "X-GitHub-Event",
      "X-Event-Key",
      "X-Gitlab-Token",
      "Expect",
      "Upgrade",
      "Connection",
      "Content-Type",
      "X-Http-Method-Override",
      "__proto__",
    ),
    bytes,
  ),
  fc.oneof(
    fc.constantFrom(
      "",
      "a",
      "0",
      "-1",
      "5",
      "chunked",
      "ping",
      "push",
      "100-continue",
      "websocket",
      "h2c",
      "upgrade",
      "close",
    ),
    bytes,
  ),
);
const wellFormed = fc
  .tuple(method, target, fc.nat(19), fc.constantFrom("push", "ping", "Push Hook", "issues"))
  .map(
    ([verb, path, host, event]) =>
      `${verb} ${path} HTTP/1.1\r\n${host > 0 ? "Host: a\r\n" : ""}X-GitHub-Event: ${event}\r\nConnection: close\r\n\r\n`,
  );
const malformed = fc
  .tuple(method, target, fc.array(header, { maxLength: 6 }), bytes)
  .map(([verb, path, headers, body]) =>
    [`${verb} ${path} HTTP/1.1`, "Host: a", ...headers.map(([name, value]) => `${name}: ${value}`), "", body].join(
      "\r\n",
    ),
  );
const message = fc.oneof(wellFormed, malformed).map((text) => Buffer.from(text, "latin1"));

test("no bytes make it fail, or ask the API server for anything but a StaticSite", { timeout: 60_000 }, async () => {
  const statuses = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(message, async (sent) => {
      const text = await exchange(sent);
      for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect(status).not.toMatch(/^5/);
      }
    }),
    { numRuns: 1_500 },
  );
  for (const { method, url } of service.api.requests) {
    expect(method).toBe("PATCH");
    expect(url).toMatch(allowedPath);
  }
  expect(service.api.requests.length).toBeGreaterThan(20);
  expect(statuses.get("404")).toBeGreaterThan(100);
  expect(statuses.get("405")).toBeGreaterThan(0);
  service.api.addSite("pages", "healthy");
  expect((await call(service.port, "/sync/pages/healthy")).status).toBe(202);
});
