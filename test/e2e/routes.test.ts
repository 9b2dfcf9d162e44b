import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePorts } from "../support/free-ports.ts";
import { basic, newcomers, startBetween, tokenUrl } from "../webhook/sign-in/running.ts";
import { Backends } from "./requests/backends.ts";
import { type PlacedRoutes, placeRoutes } from "./requests/cluster.ts";
import { type Ask, type Fate, type Kind, kinds, type Row } from "./requests/row.ts";
import { forgeRows, otherForgeRows, pagesRows } from "./requests/rows/forge.ts";
import { hostRows, redirectRows } from "./requests/rows/hosts.ts";
import { hubRows, literalHubRows } from "./requests/rows/hub.ts";
import { collaboraRows, onlyofficeRows } from "./requests/rows/office.ts";
import { pushRows, suiteRows, whiteboardRows } from "./requests/rows/suites.ts";
import { webhookRows } from "./requests/rows/webhook.ts";
import { type Answer, Caller, spoken } from "./requests/send.ts";
import { backends as services, sharedGateway, stacks, trustedProxies, webhookLimits } from "./requests/stacks.ts";
import { type RawData, Traefik } from "./requests/traefik.ts";

/** A real Traefik reads the routes of every area from the API server, and requests take them. */

let placed: PlacedRoutes;
let backends: Backends;
let traefik: Traefik;
let raw: RawData;
let callers: Readonly<Record<Kind, Caller>>;
const dialled = new Map<string, string>();

beforeAll(async () => {
  const [folder = ""] = await ensureJudges(["traefik"], createProgress());
  const kubeconfig = process.env.HEARTH_E2E_KUBECONFIG ?? "";
  const forwardedHeaders = { trustedIPs: trustedProxies };
  const entryPoints = {
    web: { forwardedHeaders },
    websecure: { forwardedHeaders },
    // Believes every header that says where a request comes from.
    trusting: { forwardedHeaders: { insecure: true } },
    ssh: {},
    secure: {},
    plain: {},
    git: {},
  };
  const ports = await freePorts(Object.keys(entryPoints));
  const port = (name: string) => ports.get(name) ?? 0;
  placed = await placeRoutes(kubeconfig, stacks(port), [sharedGateway(port)]);
  backends = new Backends();
  traefik = await Traefik.start({
    program: `${folder}/traefik`,
    kubeconfig,
    namespaces: placed.namespaces,
    entryPoints,
    ports,
  });
  raw = await traefik.read(placed.routers);
  await startBackends();
  await traefik.serve(raw, (found) => dialled.get(found) ?? "", { trusting: "websecure" });
  const callerOf = (kind: Kind) => new Caller(traefik.ports(kind), placed.authority);
  callers = { traefik: callerOf("traefik"), gateway: callerOf("gateway") };
}, 600_000);

afterAll(async () => {
  for (const kind of kinds) callers?.[kind].close();
  await traefik?.stop();
  await backends?.close();
  await placed?.remove();
});

/** A backend for each Service that Traefik found, at the address it found. */
async function startBackends(): Promise<void> {
  const http = Object.values(raw.services ?? {}).flatMap(({ loadBalancer }) => loadBalancer?.servers ?? []);
  for (const { url } of http)
    if (!dialled.has(url)) dialled.set(url, `http://127.0.0.1:${await backends.http(placed.backendAt(url))}`);
  const tcp = Object.values(raw.tcpServices ?? {}).flatMap(({ loadBalancer }) => loadBalancer?.servers ?? []);
  for (const { address } of tcp) dialled.set(address, `127.0.0.1:${await backends.ssh()}`);
}

describe("Traefik", () => {
  test("finds nothing wrong with the routes of any kind", () => {
    const all = [raw.routers, raw.tcpRouters, raw.middlewares].flatMap((entries) => Object.entries(entries ?? {}));
    expect(all.filter(([, { status, error }]) => status !== "enabled" || error)).toEqual([]);
    // Said of every wildcard: no TLS options are set that could depend on it.
    expect(traefik.complaints.filter((line) => !line.includes("No domain found in rule HostRegexp"))).toEqual([]);
  });

  test("finds the Services that routes name, at their ports", () => {
    const found = Object.values(raw.services ?? {}).flatMap(({ loadBalancer }) =>
      (loadBalancer?.servers ?? []).map(({ url }) => placed.backendAt(url)),
    );
    const { shell, otherShell, ...http } = services;
    expect(found).toEqual(expect.arrayContaining(Object.values(http)));
    const tcp = Object.values(raw.tcpServices ?? {}).flatMap(({ loadBalancer }) =>
      (loadBalancer?.servers ?? []).map(({ address }) => placed.backendAt(address)),
    );
    expect(tcp.sort()).toEqual([shell, shell, otherShell, otherShell].sort());
  });
});

describe.each(kinds)("by routes of kind %s:", (kind) => {
  describe.each<[string, readonly Row[]]>([
    ["the forge", forgeRows],
    ["the forge's sites", pagesRows],
    ["a forge at other entry points", otherForgeRows],
    ["the hub", hubRows],
    ["a hub whose registry is reached directly", literalHubRows],
    ["suites", suiteRows],
    ["the whiteboard", whiteboardRows],
    ["the push server", pushRows],
    ["Collabora", collaboraRows],
    ["OnlyOffice", onlyofficeRows],
    ["the site webhook", webhookRows],
    ["HTTP", redirectRows],
    ["hosts and certificates", hostRows],
  ])("%s:", (_, rows) => {
    test.each(rows)("$name", async ({ ask, fate: meant, except }) => {
      const fate = except?.[kind]?.fate ?? meant;
      expect(outcome(ask, fate, await callers[kind].send(ask))).toEqual(wanted(ask, fate));
    });
  });
});

/** What a row says, with its defaults. */
function wanted(ask: Ask, fate: Fate) {
  const [, name = "", path = "/"] = /^\w+:\/\/([^/]*)(\/.*)$/.exec(ask.url) ?? [];
  const host = name.replace(/\.?(?::\d+)?$/, "").toLowerCase();
  const status = fate.status ?? (fate.backend ? (ask.webSocket ? 101 : 200) : 404);
  return {
    status,
    backend: fate.backend,
    ...(fate.backend && {
      method: ask.method ?? "GET",
      path: fate.path ?? path,
      bytes: ask.webSocket ? 0 : (ask.body ?? 0),
    }),
    ...(fate.backend && ask.webSocket && { echo: spoken }),
    ...(ask.url.startsWith("https:") && { certificate: fate.certificate ?? host }),
    ...Object.fromEntries(Object.entries(fate.sees ?? {}).map(([name, value]) => [`sees ${name}`, matching(value)])),
    ...Object.fromEntries(
      Object.entries(fate.headers ?? {}).map(([name, value]) => [`header ${name}`, matching(value)]),
    ),
  };
}

function matching(value: string | RegExp | undefined) {
  return value instanceof RegExp ? expect.stringMatching(value) : value;
}

/** The same of what came back. */
function outcome(ask: Ask, fate: Fate, { status, headers, seen, certificate, echo }: Answer) {
  const { certificate: name } = wanted(ask, fate);
  const covers = certificate?.some(
    (each) => each === name || (typeof name === "string" && each === name.replace(/^[^.]+/, "*")),
  );
  return {
    status,
    backend: seen?.backend,
    ...(fate.backend && { method: seen?.method, path: seen?.path, bytes: seen?.bytes }),
    ...(fate.backend && ask.webSocket && { echo }),
    ...(ask.url.startsWith("https:") && { certificate: certificate ? (covers ? name : certificate.join()) : false }),
    ...Object.fromEntries(Object.keys(fate.sees ?? {}).map((name) => [`sees ${name}`, seen?.headers[name]])),
    ...Object.fromEntries(Object.keys(fate.headers ?? {}).map((name) => [`header ${name}`, headers[name]])),
  };
}

describe("SSH", () => {
  test("goes to the shell, with the caller's address", async () => {
    expect(await callers.traefik.ssh("ssh", "127.0.0.9")).toEqual(["SSH-2.0-stub 127.0.0.9", spoken]);
  });

  test("goes to the shell without the caller's address, where the setting says so", async () => {
    expect(await callers.traefik.ssh("git", "127.0.0.9")).toEqual(["SSH-2.0-stub none", spoken]);
  });

  test.each(["ssh", "git"])("has no word for the caller's address in the Gateway API: %s", async (entry) => {
    expect(await callers.gateway.ssh(entry, "127.0.0.9")).toEqual(["SSH-2.0-stub none", spoken]);
  });
});

describe("the hub's token endpoint", () => {
  const url = `https://hub.example.org${tokenUrl()}`;
  const patience = { timeout: 60_000 };
  const ask = (from: string, user: string, token: string) =>
    callers.traefik.send({ url, from, headers: { authorization: basic(user, token) } });

  test("serves so many calls of one source at once, and those of others beside them", async () => {
    const hold = { url, from: "127.0.5.1", headers: { "x-hold": "1" } };
    const calls = Array.from({ length: 150 }, async () => (await callers.traefik.send(hold)).status);
    await expect.poll(() => backends.held, patience).toBe(64);
    const others = Array.from({ length: 30 }, (_, index) => ask(`127.0.5.${index + 2}`, "alice", "a password"));
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 200));
    backends.release();
    expect((await Promise.all(calls)).toSorted()).toEqual([...Array(64).fill(200), ...Array(86).fill(429)]);
  });

  test("150 connections of one source with made-up tokens fail no first sign-in of others", async () => {
    const service = await startBetween();
    /** Puts a server in the place of the sign-in's, or the test's own again, and waits until calls get there. */
    const leads = async (signIn: string | undefined) => {
      const server = (found: string) => (placed.backendAt(found) === services.signIn ? signIn : undefined);
      await traefik.serve(raw, (found) => server(found) ?? dialled.get(found) ?? "", { trusting: "websecure" });
      const answersItself = async () => (await ask("127.0.5.100", "alice", "a password")).seen !== undefined;
      await expect.poll(answersItself, patience).toBe(signIn === undefined);
    };
    let under = true;
    const statuses = new Set<number>();
    let siege: Promise<unknown> = Promise.resolve();
    try {
      await leads(`http://127.0.0.1:${service.port}`);
      service.forge.latency = 20;
      const users = newcomers(service, 30);
      let count = 0;
      const besieged = async () => {
        while (under) statuses.add((await ask("127.0.5.101", "alice", `glpat-guess-canary-${++count}-00`)).status);
      };
      siege = Promise.all(Array.from({ length: 150 }, besieged));
      await expect.poll(() => count, patience).toBeGreaterThan(300);
      const first = users.map(({ user, token }, index) => ask(`127.0.5.${index + 110}`, user, token));
      const answers = await Promise.all(first);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    } finally {
      under = false;
      await siege;
      await leads(undefined);
      await service.stop();
    }
    expect([...statuses].toSorted()).toEqual([401, 429]);
  });
});

describe("the site webhook's limits", () => {
  const url = "https://sync.example.org/sync/pages/handbook";
  const call = async (ask: Partial<Ask>, kind: Kind = "traefik") =>
    (await callers[kind].send({ url, method: "POST", ...ask })).status;
  const forwarded = (address: string) => ({ headers: { "x-forwarded-for": address } });

  /** Calls at once, more than a source has: how many got through, and how many may have. */
  async function flood(ask: (index: number) => Partial<Ask>): Promise<{ through: number; atMost: number }> {
    const { burst, callsPerSecond, inFlight } = webhookLimits;
    const start = Date.now();
    let through = 0;
    // No more at a time than may be under way.
    for (let index = 0; index < 4 * burst; index += inFlight) {
      const statuses = await Promise.all(Array.from({ length: inFlight }, (_, each) => call(ask(index + each))));
      through += statuses.filter((status) => status === 200).length;
    }
    return { through, atMost: burst + Math.ceil(((Date.now() - start) / 1000) * callsPerSecond) + 1 };
  }

  test.each<[string, (index: number) => Partial<Ask>, Partial<Ask>]>([
    ["who connects, without X-Forwarded-For", () => ({ from: "127.0.3.1" }), { from: "127.0.3.2" }],
    [
      "who connects, whatever header they forge",
      (index) => ({ from: "127.0.3.3", ...forwarded(`192.0.2.${index}`) }),
      { from: "127.0.3.4" },
    ],
    [
      "who connects, even where the entry point believes the forged header",
      (index) => ({ from: "127.0.3.5", entry: "trusting", ...forwarded(`192.0.2.${index}`) }),
      { from: "127.0.3.6", entry: "trusting" },
    ],
    [
      "the last address that a trusted proxy names, whatever stands before it",
      (index) => ({ from: "127.0.1.1", ...forwarded(`192.0.2.${index}, 198.51.100.1`) }),
      { from: "127.0.1.1", ...forwarded("198.51.100.2") },
    ],
    [
      "the last address that is no proxy's, of a row of them",
      (index) => ({ from: "127.0.1.2", ...forwarded(`192.0.2.${index}, 198.51.100.3, 127.0.1.9`) }),
      { from: "127.0.1.2", ...forwarded("198.51.100.4, 127.0.1.9") },
    ],
    ["the proxy itself, where it names nobody", () => ({ from: "127.0.1.3" }), { from: "127.0.1.4" }],
  ])("the source is %s", async (_, busy, other) => {
    const { through, atMost } = await flood(busy);
    expect(through).toBeGreaterThanOrEqual(webhookLimits.burst);
    expect(through).toBeLessThanOrEqual(atMost);
    expect(await call(other)).toBe(200);
  });

  test("the Gateway API has no word for them, as validate warns", async () => {
    const calls = Array.from({ length: 2 * webhookLimits.burst }, () => call({ from: "127.0.3.7" }, "gateway"));
    expect(await Promise.all(calls)).toEqual(calls.map(() => 200));
  });

  test.each<[string, readonly Partial<Ask>[], Partial<Ask>]>([
    ["who connects", [{ from: "127.0.4.1" }, { from: "127.0.4.2" }], { from: "127.0.4.3" }],
    [
      "whom a trusted proxy names",
      [
        { from: "127.0.1.5", ...forwarded("198.51.100.5") },
        { from: "127.0.1.5", ...forwarded("198.51.100.6") },
      ],
      { from: "127.0.1.5", ...forwarded("198.51.100.7") },
    ],
  ])("a source has so many calls under way and no more, and holds up nobody else: %s", async (_, holding, other) => {
    const held = holding.flatMap((source) =>
      Array.from({ length: webhookLimits.inFlight }, () =>
        call({ ...source, headers: { ...source.headers, "x-hold": "1" } }),
      ),
    );
    await expect.poll(() => backends.held, { timeout: 60_000 }).toBe(held.length);
    for (const source of holding) expect(await call(source)).toBe(429);
    expect(await call(other)).toBe(200);
    backends.release();
    expect(await Promise.all(held)).toEqual(held.map(() => 200));
    for (const source of holding) expect(await call(source)).toBe(200);
  });

  test("bodies that come slowly from two addresses hold up nobody else", async () => {
    const sources = ["127.0.0.1", "127.0.0.2"];
    const slow = sources.flatMap((from) =>
      Array.from({ length: webhookLimits.inFlight }, () => callers.traefik.slowly({ url, method: "POST", from })),
    );
    await expect.poll(() => backends.reading, { timeout: 60_000 }).toBe(slow.length);
    for (const from of sources) expect(await call({ from })).toBe(429);
    expect(await call({ from: "127.0.0.3" })).toBe(200);
    for (const { finish } of slow) finish();
    expect(await Promise.all(slow.map(({ status }) => status))).toEqual(slow.map(() => 200));
  });
});
