import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { CertificateAuthority } from "../../sandbox/operators/certificate-authority.ts";
import { freePort, shippedFlags } from "../../test/webhook/support/service.ts";
import { buildBundle } from "../../webhook/build.ts";
import { type LoadFigures, type LoadOptions, load } from "./load.ts";
import { type MeasuredServer, measured, startBare, startDebianWebhook } from "./servers.ts";

const rounds = 5;
const roundSeconds = 2;
const burstCalls = 1_000;
const bursts = 5;

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

/** Measures the webhook; true when every number holds. */
export async function run(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "webhook-bench-"));
  const bundle = join(folder, "site-webhook.mjs");
  buildBundle(bundle);
  const api = await startApi(folder);
  const servers: MeasuredServer[] = [];
  try {
    console.log(
      `Node ${process.version}, ${availableParallelism()} CPUs, ${rounds} interleaved rounds; ratios are medians of the rounds' ratios.`,
    );
    const bare = await startBare([], "at-once");
    const bareTogether = await startBare(shippedFlags, "next-second");
    const perCall = await startWebhook("a TLS patch per call", bundle, folder, api.port, [], lifted);
    const small = await startWebhook(
      "a TLS patch per call, shipped flags",
      bundle,
      folder,
      api.port,
      shippedFlags,
      lifted,
    );
    const shipped = await startWebhook("one site, as shipped", bundle, folder, api.port, shippedFlags, {});
    servers.push(bare, bareTogether, perCall.server, small.server, shipped.server);
    const debian = await startDebianWebhook(folder, await freePort());
    if (debian) servers.push(debian);

    const ratios = { perCall: [] as number[], burst: [] as number[], debian: [] as number[] };
    const p99: number[] = [];
    let number = 0;
    const distinct = () => `/sync/pages/site-${number++}`;
    for (let round = 0; round < rounds; round += 1) {
      const yardstick = await rate(bare, { path: () => "/sync/pages/site" });
      const patched = await rate(perCall.server, { path: distinct });
      ratios.perCall.push(patched.rate / yardstick.rate);
      p99.push(patched.p99);
      await rate(small.server, { path: distinct });
      const bareBurst = await burst(bareTogether);
      const ownBurst = await burst(shipped.server);
      ratios.burst.push(ownBurst / bareBurst);
      if (debian) {
        const hooks = await rate(debian, { path: () => "/hooks/sync" });
        ratios.debian.push(patched.rate / hooks.rate);
      }
    }
    const starts = await startTimes(bundle, folder, api.port);
    const verdicts: Verdict[] = [
      {
        what: "a burst on one site, calls a CPU second, of bare node:http that waits for the second too",
        value: median(ratios.burst),
        bar: 0.75,
        better: "more",
        unit: "x",
      },
      {
        what: "a TLS patch per call, calls a second, of bare node:http",
        value: median(ratios.perCall),
        bar: 0.2,
        better: "more",
        unit: "x",
      },
      { what: "p99 at 64 connections, a TLS patch per call", value: median(p99), bar: 50, better: "less", unit: "ms" },
      {
        what: "peak memory under the shipped flags, a TLS patch per call",
        value: await small.server.peakMemory(),
        bar: 110,
        better: "less",
        unit: "MB",
      },
      {
        what: "peak memory under the shipped flags, bursts on one site",
        value: await shipped.server.peakMemory(),
        bar: 110,
        better: "less",
        unit: "MB",
      },
      { what: "start to first 202", value: median(starts), bar: 300, better: "less", unit: "ms" },
      { what: "bundle", value: (await stat(bundle)).size / 1000, bar: 150, better: "less", unit: "KB" },
    ];
    if (debian) {
      verdicts.push({
        what: "a TLS patch per call, of Debian's webhook with an exec hook",
        value: median(ratios.debian),
        bar: 5,
        better: "more",
        unit: "x",
      });
    } else {
      console.log("Debian's webhook is not installed, so it is not compared: apt-get install webhook");
    }
    return judge(verdicts);
  } finally {
    for (const server of servers) await server.stop();
    api.process.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
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

/** Calls a second over 64 connections. */
async function rate(
  server: MeasuredServer,
  options: Pick<LoadOptions, "path">,
): Promise<LoadFigures & { rate: number }> {
  const cpu = await server.cpu();
  const figures = await load({ port: server.port, connections: 64, seconds: roundSeconds, ...options });
  if (figures.failed > 0) throw new Error(`${server.name} failed ${figures.failed} of ${figures.calls} calls.`);
  const each = (((await server.cpu()) - cpu) / figures.calls) * 1e6;
  const perSecond = figures.calls / figures.seconds;
  console.log(
    `${server.name}: ${perSecond.toFixed(0)}/s, ${each.toFixed(1)} us CPU each, p99 ${figures.p99.toFixed(1)} ms`,
  );
  return { ...figures, rate: perSecond };
}

/**
 * Calls a CPU second of the server, for bursts of calls on one site. Such calls wait for the next whole second together, by design,
 * so that a clock on the wall would measure the waiting; the yardstick holds its calls in the same way.
 */
async function burst(server: MeasuredServer): Promise<number> {
  const cpu = await server.cpu();
  let calls = 0;
  for (let number = 0; number < bursts; number += 1) {
    const figures = await load({
      port: server.port,
      connections: 64,
      calls: burstCalls,
      pipelined: 16,
      path: () => "/sync/pages/one",
    });
    if (figures.failed > 0) throw new Error(`${server.name} failed ${figures.failed} of ${figures.calls} calls.`);
    calls += figures.calls;
  }
  const used = (await server.cpu()) - cpu;
  console.log(
    `${server.name}: ${bursts} bursts of ${burstCalls} calls, ${((used / calls) * 1e6).toFixed(1)} us CPU each`,
  );
  return calls / used;
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
