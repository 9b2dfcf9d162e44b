import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { buildBundle } from "@hearth-platform/site-webhook/build";
import { freePort, shippedFlags } from "../../test/webhook/support/service.ts";
import { buildImage } from "./image.ts";
import { type LoadFigures, type LoadOptions, load } from "./load.ts";
import { type MeasuredServer, measured, startBare, startDebianWebhook, startHono } from "./servers.ts";

const rounds = 5;
/** Counted, so that a busy machine makes a round longer and not its figures worse. */
const roundCalls = { bare: 8_000, patched: 3_000, hooks: 1_000 };
const burstCalls = 1_000;
const bursts = 3;
/** Calls and bursts that are not counted: code that has just started is slower. */
const warmUp = { calls: 6_000, bursts: 5 };

/** A number that must hold. */
interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly bar: number;
  readonly better: "more" | "less";
  readonly unit: string;
}

/** The service's flag for benchmarks: no limits on writes. */
const lifted = { LIFT_BUDGETS: "true" };

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/**
 * Measures the webhook; true when every number holds. Server, callers and API server share the machine's processors, with whatever
 * else runs there: so what a server can do is counted in calls a second of its own processor time, and the rates by the clock are
 * printed beside it. All servers take turns in each round.
 */
export async function run(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "webhook-bench-"));
  const bundle = join(folder, "site-webhook.mjs");
  buildBundle(bundle);
  const api = await startApi(folder);
  const servers: MeasuredServer[] = [];
  try {
    console.log(
      `Node ${process.version}, ${availableParallelism()} CPUs, load ${loadavg()[0]?.toFixed(1)}, ${rounds} interleaved rounds; ratios are medians of the rounds' ratios.`,
    );
    const bare = await startBare([], "at-once");
    const bareTogether = await startBare(shippedFlags, "next-second");
    const hono = await startHono(shippedFlags);
    const webhook = (name: string, flags: readonly string[], environment: Readonly<Record<string, string>>) =>
      startWebhook(name, bundle, folder, api.port, flags, environment);
    const perCall = (await webhook("a TLS patch per call", [], lifted)).server;
    const small = (await webhook("a TLS patch per call, shipped flags", shippedFlags, lifted)).server;
    const shipped = (await webhook("one site, as shipped", shippedFlags, {})).server;
    servers.push(bare, bareTogether, hono, perCall, small, shipped);
    const debian = await startDebianWebhook(folder, await freePort());
    if (debian) servers.push(debian);

    let number = 0;
    const distinct = () => `/sync/pages/site-${number++}`;
    const one = () => "/sync/pages/site";
    for (const [server, path] of [[bare, one] as const, [perCall, distinct] as const, [small, distinct] as const])
      await load({ port: server.port, connections: 64, calls: warmUp.calls, path });
    for (const server of [bareTogether, hono, shipped]) await holdBursts(server, warmUp.bursts);

    const ratios = { perCall: [] as number[], burst: [] as number[], hono: [] as number[], debian: [] as number[] };
    const p99: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const yardstick = await rate(bare, one, roundCalls.bare);
      const patched = await rate(perCall, distinct, roundCalls.patched);
      ratios.perCall.push(patched.perCpuSecond / yardstick.perCpuSecond);
      p99.push(patched.p99);
      await rate(small, distinct, roundCalls.patched);
      const together = await burst(bareTogether);
      ratios.hono.push((await burst(hono)) / together);
      ratios.burst.push((await burst(shipped)) / together);
      if (debian) {
        const hooks = await rate(debian, () => "/hooks/sync", roundCalls.hooks);
        ratios.debian.push(patched.perCpuSecond / hooks.perCpuSecond);
      }
    }
    const starts = await startTimes(bundle, folder, api.port);
    console.log(
      `Hono and its adapter alone, a burst on one site: ${median(ratios.hono).toFixed(2)} x of bare node:http`,
    );
    await sayImage(folder);
    const verdicts: Verdict[] = [
      {
        what: "a burst on one site, calls a CPU second, of bare node:http that waits for the second too",
        value: median(ratios.burst),
        bar: 0.75,
        better: "more",
        unit: "x",
      },
      {
        what: "a TLS patch per call, calls a CPU second, of bare node:http",
        value: median(ratios.perCall),
        bar: 0.2,
        better: "more",
        unit: "x",
      },
      { what: "p99 at 64 connections, a TLS patch per call", value: median(p99), bar: 50, better: "less", unit: "ms" },
      {
        what: "peak memory under the shipped flags, a TLS patch per call",
        value: await small.peakMemory(),
        bar: 110,
        better: "less",
        unit: "MB",
      },
      {
        what: "peak memory under the shipped flags, bursts on one site",
        value: await shipped.peakMemory(),
        bar: 110,
        better: "less",
        unit: "MB",
      },
      { what: "start to first 202", value: median(starts), bar: 300, better: "less", unit: "ms" },
      { what: "bundle", value: (await stat(bundle)).size / 1000, bar: 150, better: "less", unit: "KB" },
    ];
    if (debian) {
      verdicts.push({
        what: "a TLS patch per call, calls a CPU second, of Debian's webhook with an exec hook",
        value: median(ratios.debian),
        bar: 5,
        better: "more",
        unit: "x",
      });
    } else {
      console.log('Debian\'s webhook is not installed, so it is not compared: "apt-get install webhook" changes that.');
    }
    return judge(verdicts);
  } finally {
    for (const server of servers) await server.stop();
    api.process.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
}

/** Builds the image twice, and says how large it is and whether both are the same. */
async function sayImage(folder: string): Promise<void> {
  const [first, second] = [await buildImage(join(folder, "first")), await buildImage(join(folder, "second"))];
  if (!first || !second) {
    console.log('There is no buildah, so the image is not built: "apt-get install buildah" changes that.');
    return;
  }
  const sizes = first.layers.map((bytes) => `${(bytes / 1000).toFixed(1)} KB`).join(", ");
  console.log(`image over its base: ${first.layers.length} layers, compressed ${sizes}; ${first.digest}`);
  console.log(
    `built again: ${second.digest === first.digest ? "the same digest" : `ANOTHER digest, ${second.digest}`}`,
  );
}

function judge(verdicts: readonly Verdict[]): boolean {
  let all = true;
  for (const { what, value, bar, better, unit } of verdicts) {
    const holds = better === "more" ? value >= bar : value < bar;
    all &&= holds;
    const digits = unit === "x" ? 2 : 0;
    console.log(
      `${holds ? "ok    " : "MISSED"} ${what}: ${value.toFixed(digits)} ${unit} (${better === "more" ? "at least" : "less than"} ${bar})`,
    );
  }
  return all;
}

/** Calls over 64 connections: a second by the clock, and a second of the server's processor time. */
async function rate(
  server: MeasuredServer,
  path: LoadOptions["path"],
  calls: number,
): Promise<LoadFigures & { perCpuSecond: number }> {
  const cpu = await server.cpu();
  const figures = await load({ port: server.port, connections: 64, calls, path });
  refuseFailures(server, figures);
  const perCpuSecond = figures.calls / ((await server.cpu()) - cpu);
  const perSecond = figures.calls / figures.seconds;
  console.log(
    `${server.name}: ${perSecond.toFixed(0)}/s, ${(1e6 / perCpuSecond).toFixed(1)} us CPU each, p99 ${figures.p99.toFixed(1)} ms`,
  );
  return { ...figures, perCpuSecond };
}

/**
 * Calls a CPU second of the server, for bursts of calls on one site. Such calls wait for the next whole second together, by design,
 * so that a clock on the wall would measure the waiting; the yardstick holds its calls in the same way.
 */
async function burst(server: MeasuredServer): Promise<number> {
  const cpu = await server.cpu();
  const calls = await holdBursts(server, bursts);
  const used = (await server.cpu()) - cpu;
  console.log(
    `${server.name}: ${bursts} bursts of ${burstCalls} calls, ${((used / calls) * 1e6).toFixed(1)} us CPU each`,
  );
  return calls / used;
}

function refuseFailures({ name }: MeasuredServer, { failed, calls }: LoadFigures): void {
  if (failed === 0) return;
  throw new Error(`"${name}" failed ${failed} of ${calls} calls; is the machine too busy to answer them within 4 s?`);
}

async function holdBursts(server: MeasuredServer, times: number): Promise<number> {
  for (let number = 0; number < times; number += 1) {
    const path = () => "/sync/pages/one";
    refuseFailures(server, await load({ port: server.port, connections: 64, calls: burstCalls, pipelined: 16, path }));
  }
  return times * burstCalls;
}

/** Milliseconds from the start of the process to its first 202. */
async function startTimes(bundle: string, folder: string, apiPort: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < rounds; number += 1) {
    const { server, startedAt } = await startWebhook("start", bundle, folder, apiPort, shippedFlags, {});
    await load({ port: server.port, connections: 1, calls: 1, path: () => "/sync/pages/one" });
    times.push(performance.now() - startedAt);
    await server.stop();
  }
  return times;
}

async function startWebhook(
  name: string,
  bundle: string,
  folder: string,
  apiPort: number,
  flags: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ server: MeasuredServer; startedAt: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...flags, bundle], {
    env: {
      WEBHOOK_HOST: "127.0.0.1",
      WEBHOOK_PORT: "0",
      OPERATIONS_PORT: "0",
      KUBERNETES_SERVICE_HOST: "127.0.0.1",
      KUBERNETES_SERVICE_PORT: String(apiPort),
      SERVICE_ACCOUNT_FOLDER: folder,
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  child.stdout.resume();
  return { server: measured(name, child, JSON.parse(String(line)).port), startedAt };
}

async function startApi(folder: string): Promise<{ process: ChildProcess; port: number }> {
  const authority = await CertificateAuthority.open(join(folder, "ca"));
  const { certificate, privateKey } = await authority.issue({
    dnsNames: [],
    ipAddresses: ["127.0.0.1"],
    lifetime: 3_600_000,
    key: { algorithm: "ECDSA", curve: "P-256" },
  });
  const files = { "ca.crt": authority.certificate, token: "token", "tls.crt": certificate, "tls.key": privateKey };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const stub = join(import.meta.dirname, "api-stub.ts");
  const child = spawn(process.execPath, [stub, join(folder, "tls.crt"), join(folder, "tls.key")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return { process: child, port: Number(String(line)) };
}
