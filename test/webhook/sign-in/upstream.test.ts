import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "@hearth-platform/site-webhook/clock";
import { Upstream } from "@hearth-platform/site-webhook/sign-in/upstream";
import { afterEach, beforeEach, expect, test } from "vitest";

/** What came, by its method. Each connection is good for one answer, and breaks at the next request. */
let came: string[] = [];
const used = new WeakSet<object>();
const server = createServer((request, response) => {
  came.push(request.method ?? "");
  if (used.has(request.socket)) return request.socket.destroy();
  used.add(request.socket);
  return response.end("{}");
});
let upstream: Upstream;
let codes: string[] = [];

beforeEach(async () => {
  [came, codes] = [[], []];
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  upstream = new Upstream(url, systemClock, (code) => codes.push(code));
});
afterEach(async () => {
  upstream.close();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const send = (method: string, within = 60_000) =>
  upstream.call({ method, path: "/", deadline: systemClock.elapsed() + within });

test("a question is sent again where its kept connection was dead", async () => {
  await send("GET");
  expect(await send("GET")).toMatchObject({ status: 200 });
  expect(came).toEqual(["GET", "GET", "GET"]);
  expect(codes).toEqual(["200", "reset", "200"]);
});

test.each(["POST", "PATCH"])(
  "a %s is sent once, though its kept connection was dead: it may have been done",
  async (method) => {
    await send("GET");
    expect(await send(method)).toEqual({ fault: "reset", reusedSocket: true });
    expect(came).toEqual(["GET", method]);
  },
);

test("a question whose new connection breaks is not sent again", async () => {
  server.once("connection", (socket) => used.add(socket));
  expect(await send("GET")).toEqual({ fault: "reset", reusedSocket: false });
  expect(came).toEqual(["GET"]);
});

test("nothing is sent again after the deadline", async () => {
  await send("GET");
  expect(await send("GET", 0)).toMatchObject({ fault: expect.stringMatching(/reset|timeout/) });
  expect(came.length).toBeLessThanOrEqual(2);
});
