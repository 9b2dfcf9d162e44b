import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePorts } from "../../support/free-ports.ts";
import { type Kind, kinds } from "./row.ts";

/** How to run it. */
export interface TraefikOptions {
  /** Path of the program. */
  readonly program: string;
  /** Of the cluster whose routes it reads. */
  readonly kubeconfig: string;
  readonly namespaces: readonly string[];
  /** Entry points of its static configuration, with what they have beside their address. */
  readonly entryPoints: Readonly<Record<string, object>>;
  /** Ports of the entry points, where routes name those. */
  readonly ports: ReadonlyMap<string, number>;
}

/** A router as the API shows it. */
interface Router {
  readonly entryPoints: readonly string[];
  readonly service: string;
  readonly middlewares?: readonly string[];
  readonly tls?: object;
  readonly status: string;
  readonly error?: readonly string[];
}

/** Everything Traefik has made of its providers' words. (traefik pkg/api, `/api/rawdata`) */
export interface RawData {
  readonly routers?: Readonly<Record<string, Router>>;
  readonly services?: Readonly<Record<string, HttpService>>;
  readonly middlewares?: Readonly<Record<string, { readonly status: string; readonly error?: readonly string[] }>>;
  readonly tcpRouters?: Readonly<Record<string, Router>>;
  readonly tcpServices?: Readonly<Record<string, TcpService>>;
}

interface Weighted {
  readonly services?: readonly { readonly name: string; readonly weight?: number }[];
}

interface HttpService {
  readonly loadBalancer?: { readonly servers?: readonly { readonly url: string }[] };
  readonly weighted?: Weighted;
}

interface TcpService {
  readonly loadBalancer?: {
    readonly servers?: readonly { readonly address: string }[];
    readonly serversTransport?: string;
  };
  readonly weighted?: Weighted;
}

/** The providers whose routes are judged, as the names of their entries end. */
const providers: Readonly<Record<Kind, string>> = { traefik: "@kubernetescrd", gateway: "@kubernetesgateway" };

/** Suffix of the entry points at which the twins of a kind's routes are, whose servers can be dialled. */
const open = (kind: Kind) => `-open-${kind}`;

/**
 * One Traefik that reads routes of every kind from a cluster, and serves their twins: each router again at an entry point of its kind's
 * own, with its own middlewares and certificates, but with servers of the test. The cluster's addresses are never dialled.
 */
export class Traefik {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ports: ReadonlyMap<string, number>;

  private constructor(child: ChildProcess, folder: string, ports: ReadonlyMap<string, number>) {
    this.#child = child;
    this.#folder = folder;
    this.#ports = ports;
  }

  static async start({ program, kubeconfig, namespaces, entryPoints, ports: own }: TraefikOptions): Promise<Traefik> {
    const folder = mkdtempSync(join(tmpdir(), "hearth-traefik-"));
    const twins = Object.keys(entryPoints).flatMap((name) => kinds.map((kind) => `${name}${open(kind)}`));
    const names = [...own.keys(), ...twins];
    const ports = new Map([...own, ...(await freePorts(["traefik", ...twins]))]);
    const entryPoint = (name: string) => ({
      address: `127.0.0.1:${ports.get(name)}`,
      ...entryPoints[name.replace(/-open-.*/, "")],
    });
    const configuration = {
      global: { checkNewVersion: false, sendAnonymousUsage: false },
      log: { level: "WARN", format: "json" },
      api: { insecure: true, dashboard: false },
      entryPoints: Object.fromEntries(["traefik", ...names].map((name) => [name, entryPoint(name)])),
      providers: {
        providersThrottleDuration: "50ms",
        kubernetesCRD: { namespaces },
        // Its TCPRoute is of the experimental channel.
        kubernetesGateway: { namespaces, experimentalChannel: true },
        rest: { insecure: true },
      },
    };
    // JSON is YAML.
    writeFileSync(join(folder, "traefik.yml"), JSON.stringify(configuration));
    const child = spawn(program, [`--configFile=${join(folder, "traefik.yml")}`], {
      env: { KUBECONFIG: kubeconfig },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const traefik = new Traefik(child, folder, ports);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => writeFileSync(join(folder, "log"), chunk, { flag: "a" }));
    return traefik;
  }

  /** Ports of the entry points at which the twins of a kind are, by the names that routes give them. */
  ports(kind: Kind): ReadonlyMap<string, number> {
    const suffix = open(kind);
    return new Map(
      [...this.#ports].flatMap(([name, port]) =>
        name.endsWith(suffix) ? [[name.slice(0, -suffix.length), port] as const] : [],
      ),
    );
  }

  /** Warnings and errors of its own, lines of JSON; what its client of the cluster says of its pace is not among them. */
  get complaints(): string[] {
    return readFileSync(join(this.#folder, "log"), { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter((line) => line.startsWith("{"));
  }

  /** What providers say, once each has its `routers` for HTTP and TCP together. @throws Error with the log where that takes a minute */
  async read(routers: Readonly<Record<Kind, number>>): Promise<RawData> {
    return vi.waitFor(
      async () => {
        if (this.#child.exitCode !== null) throw new Error(this.complaints.join("\n"));
        const raw = await this.now();
        for (const kind of kinds) {
          const found = [raw.routers, raw.tcpRouters].flatMap((all) => judgedOf(kind, all).map(([name]) => name));
          if (found.length !== routers[kind])
            throw new Error(
              [`${found.length} of ${routers[kind]} routers are there:`, ...found, ...this.complaints].join("\n"),
            );
        }
        return raw;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  /** What providers say at the moment. */
  async now(): Promise<RawData> {
    return this.#api("GET", "/api/rawdata");
  }

  /**
   * Makes the twins, and takes away those that were.
   * @param serverOf address of the server that takes the place of one the provider found: `http://host:port`, for TCP `host:port`
   * @param at further entry points at which the twins of one are
   */
  async serve(
    raw: RawData,
    serverOf: (found: string) => string,
    at: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const http = Object.assign({}, ...kinds.map((kind) => twins(kind, raw.routers, at)));
    const tcp = Object.assign({}, ...kinds.map((kind) => twins(kind, raw.tcpRouters, at)));
    const services = kinds.flatMap((kind) =>
      judgedOf(kind, raw.services).map(([name, { loadBalancer, weighted }]) => [
        twin(kind, name),
        {
          ...(weighted && { weighted: twinsOf(kind, weighted) }),
          ...(loadBalancer && {
            loadBalancer: {
              ...loadBalancer,
              servers: loadBalancer.servers?.map(({ url }) => ({ url: serverOf(url) })),
            },
          }),
        },
      ]),
    );
    const tcpServices = kinds.flatMap((kind) =>
      judgedOf(kind, raw.tcpServices).map(([name, { loadBalancer, weighted }]) => [
        twin(kind, name),
        {
          ...(weighted && { weighted: twinsOf(kind, weighted) }),
          ...(loadBalancer && {
            loadBalancer: {
              ...loadBalancer,
              ...(loadBalancer.serversTransport && {
                serversTransport: qualified(kind, loadBalancer.serversTransport),
              }),
              servers: loadBalancer.servers?.map(({ address }) => ({ address: serverOf(address) })),
            },
          }),
        },
      ]),
    );
    const body = {
      http: { routers: http, services: Object.fromEntries(services) },
      tcp: { routers: tcp, services: Object.fromEntries(tcpServices) },
    };
    await this.#api("PUT", "/api/providers/rest", body);
    const wanted = Object.keys(http).length + Object.keys(tcp).length;
    await vi.waitFor(
      async () => {
        const now = await this.now();
        const routers = [now.routers, now.tcpRouters].flatMap((all) => Object.entries(all ?? {}));
        const served = routers.filter(([name]) => name.endsWith("@rest"));
        const broken = served.filter(([, { status }]) => status !== "enabled");
        if (served.length !== wanted || broken.length > 0)
          throw new Error(
            [`${served.length} of ${wanted} twins are there:`, JSON.stringify(broken), ...this.complaints].join("\n"),
          );
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill("SIGKILL");
      await once(this.#child, "exit");
    }
    rmSync(this.#folder, { recursive: true });
  }

  async #api<T>(method: "GET" | "PUT", path: string, body?: object): Promise<T> {
    const url = `http://127.0.0.1:${this.#ports.get("traefik")}${path}`;
    const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
}

/** A provider's entries by their names without it. */
function judgedOf<T>(kind: Kind, entries: Readonly<Record<string, T>> | undefined): [string, T][] {
  const provider = providers[kind];
  return Object.entries(entries ?? {}).flatMap(([name, entry]) =>
    name.endsWith(provider) ? [[name.slice(0, -provider.length), entry]] : [],
  );
}

function qualified(kind: Kind, name: string): string {
  return name.includes("@") ? name : `${name}${providers[kind]}`;
}

/** What a twin is called. */
function twin(kind: Kind, name: string): string {
  return `${kind}-${name.replace(providers[kind], "")}`;
}

function twinsOf(kind: Kind, { services = [] }: Weighted): Weighted {
  return { services: services.map((service) => ({ ...service, name: twin(kind, service.name) })) };
}

function twins(kind: Kind, routers: RawData["routers"], at: Readonly<Record<string, string>>): Record<string, object> {
  const made = judgedOf(kind, routers).map(
    ([name, { status: _, error: __, entryPoints, service, middlewares, ...router }]) => {
      const { using: ___, ...rest } = router as typeof router & { using?: unknown };
      const more = Object.entries(at).flatMap(([added, original]) => (entryPoints.includes(original) ? [added] : []));
      return [
        twin(kind, name),
        {
          ...rest,
          entryPoints: [...entryPoints, ...more].map((entryPoint) => `${entryPoint}${open(kind)}`),
          service: service.includes("@internal") ? service : twin(kind, service),
          ...(middlewares && { middlewares: middlewares.map((middleware) => qualified(kind, middleware)) }),
        },
      ];
    },
  );
  return Object.fromEntries(made);
}
