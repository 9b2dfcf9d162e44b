import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Load } from "./support/load.ts";
import { call, startProcess, startWithApi, until } from "./support/service.ts";
import { VirtualClock } from "./support/virtual-clock.ts";

test("SIGTERM under load loses no accepted call, even with peers that never say anything", async () => {
  const service = await startProcess({ DRAIN_SECONDS: "1", API_WRITES_PER_SECOND: "1000", API_WRITES_BURST: "1000" });
  const sites = Array.from({ length: 16 }, (_, index) => `site-${index}`);
  for (const site of sites) service.api.addSite("pages", site);
  service.api.latency = 30;
  const silent = Array.from({ length: 3 }, () => connect(service.port, "127.0.0.1").on("error", () => {}));
  const load = new Load(service.port);
  let stopping = false;
  const senders = Array.from({ length: 64 }, async (_, index) => {
    while (!stopping) {
      await load.send(sites[index % sites.length] ?? "");
      await pause(10);
    }
  });
  await until(() => load.results.length > 100, 60_000);

  const ended = once(service.process, "exit");
  service.process.kill("SIGTERM");
  await until(async () => (await call(service.operationsPort, "/readyz", { method: "GET" })).status === 503);
  const [code] = await ended;
  stopping = true;
  await Promise.all(senders);
  load.close();
  for (const socket of silent) socket.destroy();

  expect(code).toBe(0);
  const accepted = load.results.filter(({ status }) => status === 202);
  expect(accepted.length).toBeGreaterThan(100);
  for (const { site, sentAt, answeredAt } of accepted) {
    const changes = service.api.sites.get(`pages/${site}`)?.changes ?? [];
    expect(changes.some(({ at }) => at >= sentAt && at <= answeredAt)).toBe(true);
  }
  const statuses = new Set(load.results.map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 202 && status !== 503 && status !== undefined)).toEqual([]);
  expect(JSON.parse(service.lines.at(-1) ?? "")).toMatchObject({ msg: "stopped", unanswered: 0 });
  await service.stop();
});

test("a service ends within 4.5 s of its own clock after it has drained, though a peer never says anything", async () => {
  const clock = new VirtualClock();
  const service = await startWithApi({ DRAIN_SECONDS: "5" }, clock);
  const silent = connect(service.port, "127.0.0.1").on("error", () => {});
  await once(silent, "connect");
  const begun = clock.elapsed();
  let endedAt: number | undefined;
  const ended = service.stop().then(() => {
    endedAt ??= clock.elapsed();
  });
  while (endedAt === undefined && clock.elapsed() - begun < 30_000) {
    await clock.advance(100);
    await new Promise((done) => setImmediate(done));
  }
  await ended;
  silent.destroy();
  const moments = service.lines.map((line) => JSON.parse(line)).map(({ msg, ts }) => [msg, Date.parse(ts)] as const);
  const at = new Map(moments);
  expect([...at.keys()]).toEqual(["started", "draining", "stopped"]);
  const took = (at.get("stopped") ?? Number.NaN) - (at.get("draining") ?? Number.NaN);
  expect(took).toBeGreaterThanOrEqual(5_000);
  expect(took).toBeLessThanOrEqual(5_000 + 4_000 + 500 + 100);
});

test.each([
  ["answered all calls says so as information", false, { level: "info", unanswered: 0 }],
  ["leaves a call without an answer says so as an error", true, { level: "error", unanswered: 1 }],
])("a service that ends and %s", async (_, isLost, says) => {
  const clock = new VirtualClock();
  const service = await startWithApi({}, clock);
  service.api.addSite("pages", "docs");
  if (isLost) service.api.faultOf = () => "hang";
  const reply = call(service.port, "/sync/pages/docs").catch(() => undefined);
  await until(() => service.api.requests.length === 1);
  if (!isLost) expect(await reply).toMatchObject({ status: 202 });
  const stopped = service.stop();
  const last = () => JSON.parse(service.lines.at(-1) ?? "{}");
  await until(async () => {
    await clock.advance(100);
    return last().msg === "stopped";
  });
  expect(last()).toMatchObject({ msg: "stopped", ...says });
  await stopped;
  await reply;
});

test("calls whose callers have gone are written all the same", async () => {
  const service = await startProcess();
  const site = service.api.addSite("pages", "docs");
  await call(service.port, "/sync/pages/docs");
  const asked = Date.now();
  const socket = connect(service.port, "127.0.0.1").on("error", () => {});
  await new Promise<void>((done) => {
    socket.write("POST /sync/pages/docs HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", () => done());
  });
  const metrics = () => call(service.operationsPort, "/metrics", { method: "GET" });
  await until(async () => /^staticsite_sync_pending 1$/m.test((await metrics()).body));
  socket.destroy();
  expect(await service.stop()).toBe(0);
  expect(site.changes).toHaveLength(2);
  expect(site.changes[1]?.at).toBeGreaterThanOrEqual(asked);
});

test.concurrent("a fault in the environment is one line of JSON and exit code 1", async () => {
  await expect(startProcess({ WEBHOOK_PORT: "x", STATIC_SITE_VERSION: "2" })).rejects.toThrow(
    /ended with 1: \{"ts":.*"faults":\["WEBHOOK_PORT is .*","STATIC_SITE_VERSION is .*"\]\}$/,
  );
});

test.concurrent("a ServiceAccount that is not mounted is said, with its path, and exit code 1", async () => {
  await expect(startProcess({ SERVICE_ACCOUNT_FOLDER: "/nowhere" })).rejects.toThrow(/ended with 1: .*\/nowhere\//);
});
