import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { ClusterCredentials } from "@hearth-platform/site-webhook/kubernetes/credentials";
import { SiteClient } from "@hearth-platform/site-webhook/kubernetes/site-client";
import type { PatchAnswer } from "@hearth-platform/site-webhook/site-syncs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { VirtualClock } from "./support/virtual-clock.ts";

/** How long a write is waited for, with an API server that never says anything. */

let server: Server;
const sockets: Socket[] = [];

beforeEach(async () => {
  server = createServer((socket) => void sockets.push(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((done) => server.close(done));
});

const api = { host: "127.0.0.1", group: "pages.kup6s.com", version: "v1beta1", plural: "staticsites" };
const site = { namespace: "pages", name: "docs" };

test("a write whose credentials can't be read fails at once, and is not tried again", async () => {
  const current = vi.fn(async () => {
    throw new Error("EACCES");
  });
  const credentials = { current } as unknown as ClusterCredentials;
  const { port } = server.address() as AddressInfo;
  const place = { ...api, port, annotationDomain: "pages.kup6s.com" };
  const client = new SiteClient(place, credentials, new VirtualClock(), 1, () => undefined);
  const answer = await client.patch({ site, value: 7, dryRun: false, deadline: 600 });
  expect(answer).toEqual({ outcome: "failed", reason: "credentials" });
  expect(current).toHaveBeenCalledTimes(1);
});

test("a write that begins late is given up when its answer is due, not after the time of a whole one", async () => {
  const clock = new VirtualClock();
  const credentials = { current: async () => ({ token: "t", ca: "" }) } as unknown as ClusterCredentials;
  const { port } = server.address() as AddressInfo;
  const place = { ...api, port, annotationDomain: "pages.kup6s.com" };
  const codes: string[] = [];
  const client = new SiteClient(place, credentials, clock, 1, (code) => codes.push(code));
  const seen: PatchAnswer[] = [];
  const patch = { site, value: 7, dryRun: false, deadline: 600 };
  const call = client.patch(patch).then((answer) => seen.push(answer));
  await once(server, "connection");
  const advance = async (milliseconds: number) => {
    await clock.advance(milliseconds);
    await vi.advanceTimersByTimeAsync(milliseconds);
  };
  await advance(599);
  expect(seen).toEqual([]);
  await advance(1);
  await call;
  expect(seen).toEqual([{ outcome: "failed", reason: "unsent" }]);
  expect(codes).toEqual(["unsent"]);
});
