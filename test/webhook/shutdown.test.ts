import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { Load } from "./support/load.ts";
import { call, startProcess, until } from "./support/service.ts";

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
  await until(() => load.results.length > 100);

  const asked = performance.now();
  const ended = once(service.process, "exit");
  service.process.kill("SIGTERM");
  await until(async () => (await call(service.operationsPort, "/readyz", { method: "GET" })).status === 503);
  const [code] = await ended;
  stopping = true;
  await Promise.all(senders);
  load.close();
  for (const socket of silent) socket.destroy();

  expect(code).toBe(0);
  expect(performance.now() - asked).toBeLessThan(10_000);
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

test("calls whose callers have gone are written all the same", async () => {
  const service = await startProcess();
  const site = service.api.addSite("pages", "docs");
  await call(service.port, "/sync/pages/docs");
  const asked = Date.now();
  const socket = connect(service.port, "127.0.0.1").on("error", () => {});
  await new Promise<void>((done) => {
    socket.write("POST /sync/pages/docs HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", () => done());
  });
  await pause(50);
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
