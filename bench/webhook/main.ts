import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "@hearth-platform/sandbox/operators/certificate-authority";
import { buildBundle } from "@hearth-platform/site-webhook/build";
import { freePort } from "../../test/support/free-ports.ts";
import { shippedFlags } from "../../test/webhook/support/service.ts";
import { type Report, ratios } from "../report.ts";
import type { BenchOptions } from "../samples.ts";
import { buildImage } from "./image.ts";
import { type LoadFigures, type LoadOptions, load } from "./load.ts";
import { type MeasuredServer, measured, startBare, startDebianWebhook, startHono, startPatching } from "./servers.ts";

/** Counted, so that a busy machine makes a round longer and not its figures worse. */
const roundCalls = { bare: 8_000, patched: 3_000, hooks: 1_000 };
const burstCalls = 1_000;
const bursts = 3;
/** Calls and bursts that are not counted: code that has just started is slower. */
const warmUp = { calls: 6_000, bursts: 5 };

/** The service's flag for benchmarks: no limits on writes. */
const lifted = { LIFT_BUDGETS: "true" };

/**
 * Measures the webhook. Server, callers and API server share the machine's processors, with whatever else runs there: so
 * what a server can do is counted in calls a second of its own processor time. All servers take turns in each round.
 */
export async function run({ runs }: BenchOptions): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), "webhook-bench-"));
  const bundle = join(folder, "site-webhook.mjs");
  buildBundle(bundle);
  const api = await startApi(folder);
  const servers: MeasuredServer[] = [];
  try {
    const bare = await startBare();
    const patching = await startPatching(api.port, folder);
    const hono = await startHono(shippedFlags);
    const webhook = (name: string, flags: readonly string[], environment: Readonly<Record<string, string>>) =>
      startWebhook(name, bundle, folder, api.port, flags, environment);
    const perCall = (await webhook("a TLS patch per call", [], lifted)).server;
    const small = (await webhook("a TLS patch per call, shipped flags", shippedFlags, lifted)).server;
    const shipped = (await webhook("one site, as shipped", shippedFlags, {})).server;
    servers.push(bare, patching, hono, perCall, small, shipped);
    const debian = await startDebianWebhook(folder, await freePort());
    if (debian) servers.push(debian);

    let number = 0;
    const distinct = () => `/sync/pages/site-${number++}`;
    const one = () => "/sync/pages/site";
    for (const [server, path] of [
      [bare, one] as const,
      [patching, one] as const,
      [perCall, distinct] as const,
      [small, distinct] as const,
    ])
      await load({ port: server.port, connections: 64, calls: warmUp.calls, path });
    for (const server of [hono, shipped]) await holdBursts(server, warmUp.bursts);

    const calls: Record<string, number[]> = { bare: [], patching: [], perCall: [], hono: [], burst: [], debian: [] };
    const p99: number[] = [];
    for (let round = 0; round < runs; round += 1) {
      calls.bare?.push((await rate(bare, one, roundCalls.bare)).perCpuSecond);
      calls.patching?.push((await rate(patching, one, roundCalls.patched)).perCpuSecond);
      const patched = await rate(perCall, distinct, roundCalls.patched);
      calls.perCall?.push(patched.perCpuSecond);
      p99.push(patched.p99);
      await rate(small, distinct, roundCalls.patched);
      calls.hono?.push(await burst(hono));
      calls.burst?.push(await burst(shipped));
      if (debian) calls.debian?.push((await rate(debian, () => "/hooks/sync", roundCalls.hooks)).perCpuSecond);
    }
    const { perCall: patched = [], burst: bursts = [], debian: hooks = [] } = calls;
    const each = (what: string, values: readonly number[] = []) => ({ what, unit: "calls/CPU s", values });
    return {
      name: "webhook",
      figures: [
        each("bare node:http", calls.bare),
        each("bare node:http with one https.request a call", calls.patching),
        each("a TLS patch per call", patched),
        each("a burst on one site", bursts),
        {
          what: "a burst on one site, of Hono and its adapter alone",
          unit: "x",
          values: ratios(bursts, calls.hono ?? []),
          goal: { atLeast: 0.95 },
        },
        {
          what: "a TLS patch per call, of bare node:http with one https.request",
          unit: "x",
          values: ratios(patched, calls.patching ?? []),
          goal: { atLeast: 0.6 },
        },
        { what: "p99 at 64 connections, a TLS patch per call", unit: "ms", values: p99, goal: { atMost: 40 } },
        ...(debian
          ? [
              {
                what: "a TLS patch per call, of Debian's webhook with an exec hook",
                unit: "x",
                values: ratios(patched, hooks),
                goal: { atLeast: 5 },
              },
            ]
          : []),
        {
          what: "peak memory, a TLS patch per call",
          unit: "MB",
          values: [await small.peakMemory()],
          goal: { atMost: 110 },
        },
        {
          what: "peak memory, bursts on one site",
          unit: "MB",
          values: [await shipped.peakMemory()],
          goal: { atMost: 110 },
        },
        {
          what: "start to first 202",
          unit: "ms",
          values: await startTimes(runs, bundle, folder, api.port),
          goal: { atMost: 300 },
        },
        { what: "bundle", unit: "KB", values: [(await stat(bundle)).size / 1000], goal: { atMost: 150 } },
      ],
      notes: [
        ...(debian ? [] : ['Debian\'s webhook is not installed, so it is not compared: "apt-get install webhook".']),
        ...(await imageNotes(folder)),
      ],
    };
  } finally {
    for (const server of servers) await server.stop();
    api.process.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
}

/** Builds the image twice, and says how large it is and whether both are the same. */
async function imageNotes(folder: string): Promise<string[]> {
  const [first, second] = [await buildImage(join(folder, "first")), await buildImage(join(folder, "second"))];
  if (!first || !second)
    return ['There is no buildah, so the image is not built: "apt-get install buildah" changes that.'];
  const sizes = first.layers.map((bytes) => `${(bytes / 1000).toFixed(1)} KB`).join(", ");
  return [
    `image over its base: ${first.layers.length} layers, compressed ${sizes}; ${first.digest}`,
    `built again: ${second.digest === first.digest ? "the same digest" : `ANOTHER digest, ${second.digest}`}`,
  ];
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
async function startTimes(rounds: number, bundle: string, folder: string, apiPort: number): Promise<number[]> {
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
