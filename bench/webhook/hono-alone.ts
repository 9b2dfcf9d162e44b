import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

/**
 * What Hono and its adapter cost alone, in the versions that the service has: all calls are answered together at the next whole second, and
 * nothing is done for them.
 */
const app = new Hono();
let second: Promise<void> | undefined;

app.all("/sync/:namespace/:site", () => {
  second ??= new Promise((done) => {
    setTimeout(
      () => {
        second = undefined;
        done();
      },
      1000 - (Date.now() % 1000),
    );
  });
  return second.then(
    () => new Response(null, { status: 202, headers: { "content-length": "0", "cache-control": "no-store" } }),
  );
});

const server = createServer(getRequestListener(app.fetch, { autoCleanupIncoming: false }));
server.maxRequestsPerSocket = 1000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
