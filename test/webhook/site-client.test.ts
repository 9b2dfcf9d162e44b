import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import type { ClusterCredentials } from "@hearth-platform/site-webhook/kubernetes/credentials";
import { SiteClient } from "@hearth-platform/site-webhook/kubernetes/site-client";
import type { PatchAnswer } from "@hearth-platform/site-webhook/site-syncs";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Fault } from "./support/api-faults.ts";
import { FakeApiServer } from "./support/api-server.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

/** How long a write is waited for, with an API server that says nothing, or not all of its answer. */

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

const group = "pages.kup6s.com";
const api = { host: "127.0.0.1", group, version: "v1beta1", plural: "staticsites", annotationDomain: group };
const patch = { site: { namespace: "pages", name: "docs" }, value: 7, dryRun: false };

/** A client of one connection to an API server at `port`, with the code of each request it sends. */
function clientTo(port: number, current: () => Promise<object>) {
  const clock = new VirtualClock();
  const codes: string[] = [];
  const credentials = { current } as unknown as ClusterCredentials;
  const client = new SiteClient({ ...api, port }, credentials, clock, 1, (code) => codes.push(code));
  return { client, clock, codes };
}

/** Milliseconds that pass until `condition` holds; in each of them what has arrived is read. */
async function passed(clock: VirtualClock, condition: () => boolean): Promise<number> {
  let milliseconds = 0;
  for (; !condition() && milliseconds < 10_000; milliseconds += 1) {
    await clock.advance(1);
    await vi.advanceTimersByTimeAsync(1);
    await new Promise((done) => setImmediate(done));
  }
  return milliseconds;
}

test("a write whose credentials can't be read fails at once, and is not tried again", async () => {
  const current = vi.fn(async () => {
    throw new Error("EACCES");
  });
  const { client } = clientTo((server.address() as AddressInfo).port, current);
  const answer = await client.patch({ ...patch, deadline: 600 });
  expect(answer).toEqual({ outcome: "failed", reason: "credentials" });
  expect(current).toHaveBeenCalledTimes(1);
});

test.each([
  ["a write that begins late is given up when its answer is due, not after the time of a whole one", 600, 600, 1],
  ["a connection that stays silent is given up after a second, and another one is tried", 3_800, 2_000, 2],
])("%s", async (_, deadline, within, tries) => {
  const { port } = server.address() as AddressInfo;
  const { client, clock, codes } = clientTo(port, async () => ({ token: "t", ca: "" }));
  const seen: PatchAnswer[] = [];
  const call = client.patch({ ...patch, deadline }).then((answer) => seen.push(answer));
  await once(server, "connection");
  expect(await passed(clock, () => seen.length > 0)).toBe(within);
  await call;
  expect(seen).toEqual([{ outcome: "failed", reason: "unsent" }]);
  expect(codes).toEqual(Array(tries).fill("unsent"));
});

test.each<[string, Fault, number]>([
  ["says nothing", "hang", 2_000],
  ["stops within its answer", "hang in body", 3_000],
])("a write is given up when the API server %s (%s), after %i ms", async (_, fault, within) => {
  const running = await FakeApiServer.start();
  try {
    running.faultOf = () => fault;
    const ca = await readFile(join(running.serviceAccountFolder, "ca.crt"), "utf8");
    const { client, clock } = clientTo(running.port, async () => ({ token: "first-token", ca }));
    const seen: PatchAnswer[] = [];
    void client.patch({ ...patch, deadline: 3_800 }).then((answer) => seen.push(answer));
    while (running.requests.length === 0) await new Promise((done) => setImmediate(done));
    expect(await passed(clock, () => seen.length > 0)).toBe(within);
    expect(seen).toEqual([{ outcome: "failed", reason: "timeout" }]);
    expect(running.requests).toHaveLength(1);
  } finally {
    await running.remove();
  }
});
