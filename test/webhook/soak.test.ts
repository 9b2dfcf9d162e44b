import { readdir, readFile } from "node:fs/promises";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Load } from "./support/load.ts";
import { startProcess } from "./support/service.ts";

/** `WEBHOOK_SOAK_SECONDS=600` is the long run. */
const seconds = Number(process.env.WEBHOOK_SOAK_SECONDS ?? 6);
const callsPerSecond = 200;
/** The long run stands on a machine at rest, and alone has bounds of time. */
const isLong = seconds >= 60;
/** The API server is away for `away` ms in each `period`; the long run has 5 s in 30 s. */
const [period, away] = isLong ? [30_000, 5_000] : [4_000, 1_000];

/** `count` numbers from 0 to 1, the same each time. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

test(`${callsPerSecond} calls a second for ${seconds} s while the API server fails in every way`, {
  timeout: (seconds * 2 + 300) * 1000,
}, async () => {
  const service = await startProcess({ API_WRITES_PER_SECOND: "100", API_WRITES_BURST: "100" });
  onTestFinished(async () => void (await service.stop()));
  const { api } = service;
  const pid = service.process.pid;
  const random = randomNumbers(7);
  for (let index = 0; index < 50; index += 1) api.addSite("pages", `site-${index}`);
  api.faultOf = () => {
    const chance = random.next().value;
    return chance < 0.1 ? "internal error" : chance < 0.15 ? "hang" : undefined;
  };
  const load = new Load(service.port);
  const samples: {
    readonly at: number;
    readonly rss: number;
    readonly descriptors: number;
    readonly connections: number;
  }[] = [];
  const returns: number[] = [];

  const sampling = (async () => {
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end) {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      const rss = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
      const descriptors = (await readdir(`/proc/${pid}/fd`)).length;
      samples.push({ at: Date.now(), rss, descriptors, connections: await connectionsTo(api.port) });
      await pause(isLong ? 2_000 : 250);
    }
  })();
  const delay = monitorEventLoopDelay();
  delay.enable();
  const begun = performance.now();
  const outages = (async () => {
    for (let back = period; back <= seconds * 1000; back += period) {
      await pause(Math.max(0, begun + back - away - performance.now()));
      await api.kill();
      await pause(away);
      await api.listen();
      returns.push(Date.now());
    }
  })();
  for (let sent = 0; sent < seconds * callsPerSecond; sent += 1) {
    const early = begun + (sent / callsPerSecond) * 1000 - performance.now();
    if (early > 0) await pause(early);
    void load.send(`site-${Math.floor(random.next().value * 50)}`);
  }
  await Promise.all([load.settled(), sampling, outages]);
  load.close();

  expect(service.process.exitCode).toBeNull();
  expect(load.results).toHaveLength(seconds * callsPerSecond);
  expect(load.results.filter(({ status }) => status === undefined)).toEqual([]);
  // The load and the API server share a process with these tests: what waits there is not the service's.
  const longest = load.results.reduce((most, { sentAt, answeredAt }) => Math.max(most, answeredAt - sentAt), 0);
  // The service gives up on the API server after 4 s, as `site-syncs.test.ts` shows by a clock of its own.
  if (isLong) expect(longest - delay.max / 1e6).toBeLessThan(6_000);
  const accepted = load.results.filter(({ status }) => status === 202);
  if (isLong) expect(accepted.length).toBeGreaterThan(load.results.length / 4);
  // How many sites depends on how busy the machine is.
  expect(new Set(accepted.map(({ site }) => site)).size).toBeGreaterThan(isLong ? 49 : 10);
  for (const { site, sentAt, answeredAt } of accepted) {
    const changes = api.sites.get(`pages/${site}`)?.changes ?? [];
    expect(changes.some(({ at }) => at >= sentAt && at <= answeredAt)).toBe(true);
  }
  expect(Math.max(...samples.map(({ connections }) => connections))).toBeLessThanOrEqual(8);
  // Once the API server is back, calls that come after it are written again.
  expect(returns.length).toBeGreaterThan(0);
  for (const back of returns.filter((at) => load.results.some(({ sentAt }) => sentAt > at)))
    expect(accepted.some(({ sentAt }) => sentAt > back)).toBe(true);
  const late = samples.slice(Math.floor(samples.length / 2));
  expect(Math.max(...samples.map(({ rss }) => rss))).toBeLessThan(110);
  expect(Math.max(...samples.map(({ descriptors }) => descriptors))).toBeLessThan(350);
  if (isLong) {
    expect(slopePerMinute(late.map(({ at, rss }) => [at, rss]))).toBeLessThan(1);
    expect(slopePerMinute(late.map(({ at, descriptors }) => [at, descriptors]))).toBeLessThan(10);
  }
  const rss = Math.max(...samples.map((sample) => sample.rss));
  console.log(
    `${accepted.length} of ${load.results.length} accepted, longest ${longest} ms (this process waited up to ${(delay.max / 1e6).toFixed(0)} ms), peak ${rss.toFixed(0)} MB`,
  );
  expect(await service.stop()).toBe(0);
});

/** Established connections to a port of this machine, as the callers' side sees them. */
async function connectionsTo(port: number): Promise<number> {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = (await readFile("/proc/net/tcp", "utf8")).split("\n").map((line) => line.trim().split(/\s+/));
  return lines.filter(([, , to, state]) => to === remote && state === "01").length;
}

/** The slope of the line nearest to the points (milliseconds, value), a minute. */
function slopePerMinute(points: readonly (readonly [number, number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([at]) => at));
  const y = mean(points.map(([, value]) => value));
  const covariance = points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  const variance = points.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  return (covariance / variance) * 60_000;
}
