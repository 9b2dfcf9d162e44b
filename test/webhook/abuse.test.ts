import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createPublicServer } from "@hearth-platform/site-webhook/servers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { call, type ServiceProcess, startProcess, until } from "./support/service.ts";

let service: ServiceProcess;
let path = "";
let number = 0;

beforeAll(async () => {
  service = await startProcess();
});
afterAll(() => service.stop());
beforeEach(() => {
  number += 1;
  service.api.addSite("pages", `site-${number}`);
  path = `/sync/pages/site-${number}`;
});

/** Kilobytes of a field of `/proc/<pid>/status`. */
async function memory(field: "VmRSS" | "VmHWM"): Promise<number> {
  const text = await readFile(`/proc/${service.process.pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]);
}

/** Calls that the service has begun to answer since it started. */
async function arrived(): Promise<number> {
  const { body } = await call(service.operationsPort, "/metrics", { method: "GET" });
  const counts = body.matchAll(/^(?:http_requests_total\{.*\}|http_requests_in_flight) (\d+)$/gm);
  return Array.from(counts, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
}

function open(first: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(service.port, "127.0.0.1", () => {
      socket.write(first);
      resolve(socket);
    });
    socket.on("error", () => {});
  });
}

/** What comes on a connection from now on. */
function received(socket: Socket): () => string {
  let text = "";
  socket.on("data", (part) => {
    text += part.toString();
  });
  return () => text;
}

test.concurrent("500 connections that drip headers are closed by the server, and hold nobody back meanwhile", async () => {
  const sockets = await Promise.all(Array.from({ length: 500 }, () => open(`POST ${path} HTTP/1.1\r\nHost: a\r\n`)));
  const answers = sockets.map(received);
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write("X-A: b\r\n");
  }, 500);
  let answeredBefore = 0;
  for (let number = 0; sockets.some((socket) => !socket.closed); number += 1) {
    service.api.addSite("pages", `healthy-${number}`);
    expect((await call(service.port, `/sync/pages/healthy-${number}`)).status).toBe(202);
    if (sockets.every((socket) => !socket.closed)) answeredBefore += 1;
    await pause(250);
  }
  clearInterval(drip);
  // Whoever had to wait for them would be answered after they are gone.
  expect(answeredBefore).toBeGreaterThan(0);
  expect(answers.filter((text) => !text().startsWith("HTTP/1.1 408 "))).toHaveLength(0);
});

test.concurrent("a slow body holds up its own call alone, which is answered before the body has come", async () => {
  const site = service.api.addSite("pages", "slow");
  const socket = await open(`POST /sync/pages/slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n`);
  const text = received(socket);
  let sent = 0;
  const drip = setInterval(() => {
    if (sent < 999 && socket.write("x")) sent += 1;
  }, 200);
  await until(() => site.changes.length === 1);
  expect(text()).toBe("");
  await until(() => text() !== "", 60_000);
  clearInterval(drip);
  socket.destroy();
  expect(text()).toMatch(/^HTTP\/1\.1 202 /);
  expect(sent).toBeLessThan(999);
});

test("a head has 5 s to come, a call 15 s, and a connection 1,000 calls", () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket } = createPublicServer();
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxRequestsPerSocket }).toEqual({
    headersTimeout: 5_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 95_000,
    maxRequestsPerSocket: 1_000,
  });
});

test("32 bodies of 25 MB at once, 800 MB, are taken in, in less than a tenth of that", async () => {
  await call(service.port, path);
  const before = await memory("VmRSS");
  const part = Buffer.alloc(256 * 1024, "x");
  const send = (site: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request({
        host: "127.0.0.1",
        port: service.port,
        method: "POST",
        path: `/sync/pages/${site}`,
        agent: false,
        headers: { "content-length": String(part.length * 100) },
      });
      outgoing.on("response", (incoming) => {
        incoming.resume();
        incoming.on("end", () => resolve(incoming.statusCode));
      });
      outgoing.on("error", reject);
      let left = 100;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!outgoing.write(part)) {
            outgoing.once("drain", more);
            return;
          }
        }
        outgoing.end();
      };
      more();
    });
  const statuses = await Promise.all(
    Array.from({ length: 32 }, (_, index) => {
      service.api.addSite("pages", `large-${index % 4}`);
      return send(`large-${index % 4}`);
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([202]));
  expect((await memory("VmHWM")) - before).toBeLessThan(64_000);
  expect(await memory("VmHWM")).toBeLessThan(128_000);
});

test("a body that says it is larger than 26 MB is 413, and its connection is closed", async () => {
  const socket = await open(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${27 * 1024 * 1024}\r\n\r\n`);
  const text = received(socket);
  await until(() => socket.closed);
  expect(text()).toMatch(/^HTTP\/1\.1 413 /);
  expect(text().toLowerCase()).toContain("connection: close");
  expect(service.api.sites.get(`pages/site-${number}`)?.changes).toEqual([]);
});

test("a chunked body is counted: over 26 MB it is 413, which also reaches a caller that reads after it has sent all", async () => {
  const socket = await open(`POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(0x100000, "x"), Buffer.from("\r\n")]);
  for (let sent = 0; sent < 40; sent += 1)
    await new Promise<void>((done, fail) => socket.write(chunk, (error) => (error ? fail(error) : done())));
  socket.write("0\r\n\r\n");
  const text = received(socket);
  await until(() => socket.closed);
  expect(text()).toMatch(/^HTTP\/1\.1 413 /);
});

test("pipelined calls beyond what is answered at a time are sent away, and each call is answered once", async () => {
  await call(service.port, path);
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  service.api.held = promise;
  const before = await arrived();
  const one = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;
  const begun = performance.now();
  const sockets = await Promise.all(Array.from({ length: 4 }, () => open(one.repeat(500))));
  const answers = sockets.map(received);
  await until(async () => (await arrived()) === before + 2_000);
  letGo();
  service.api.held = undefined;
  const statuses = () =>
    answers.map((text) => Array.from(text().matchAll(/HTTP\/1\.1 (\d+) /g), ([, status]) => status));
  await until(() => statuses().every((answered) => answered.length >= 500));
  const seconds = (performance.now() - begun) / 1000;
  for (const socket of sockets) socket.destroy();
  const all = statuses().flat();
  expect(all).toHaveLength(2_000);
  expect(new Set(all)).toEqual(new Set(["202", "503"]));
  expect(all.filter((status) => status === "202").length).toBeGreaterThan(900);
  expect(all.filter((status) => status === "503").length).toBeGreaterThan(100);
  // One write a second at most, the first call's with them.
  expect(service.api.sites.get(`pages/site-${number}`)?.changes.length).toBeLessThanOrEqual(2 + seconds);
});

test("headers over 16 KB are refused", async () => {
  const reply = await call(service.port, path, { headers: { "x-large": "a".repeat(17_000) } });
  expect(reply.status).toBe(431);
});
