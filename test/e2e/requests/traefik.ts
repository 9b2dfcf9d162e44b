import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";

/** How to run it. */
export interface TraefikOptions {
  /** Path of the program. */
  readonly program: string;
  /** Of the cluster whose routes it reads. */
  readonly kubeconfig: string;
  readonly namespaces: readonly string[];
  /** Entry points of its static configuration, with what they have beside their address. */
  readonly entryPoints: Readonly<Record<string, object>>;
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
  readonly services?: Readonly<
    Record<string, { readonly loadBalancer?: { readonly servers?: readonly { readonly url: string }[] } }>
  >;
  readonly middlewares?: Readonly<Record<string, { readonly status: string; readonly error?: readonly string[] }>>;
  readonly tcpRouters?: Readonly<Record<string, Router>>;
  readonly tcpServices?: Readonly<
    Record<
      string,
      {
        readonly loadBalancer?: {
          readonly servers?: readonly { readonly address: string }[];
          readonly serversTransport?: string;
        };
      }
    >
  >;
}

/** The provider whose routes are judged. */
const judged = "@kubernetescrd";

/** Suffix of the entry points at which the routes' twins are, whose servers can be dialled. */
const open = "-open";

/**
 * One Traefik that reads routes from a cluster, and serves their twins: each router again at an entry point of its own, with its own
 * middlewares and certificates, but with servers of the test. The cluster's addresses are never dialled.
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

  static async start({ program, kubeconfig, namespaces, entryPoints }: TraefikOptions): Promise<Traefik> {
    const folder = mkdtempSync(join(tmpdir(), "hearth-traefik-"));
    const names = Object.keys(entryPoints).flatMap((name) => [name, `${name}${open}`]);
    const ports = await freePorts(["traefik", ...names]);
    const entryPoint = (name: string) => ({
      address: `127.0.0.1:${ports.get(name)}`,
      ...entryPoints[name.replace(open, "")],
    });
    const configuration = {
      global: { checkNewVersion: false, sendAnonymousUsage: false },
      log: { level: "WARN", format: "json" },
      api: { insecure: true, dashboard: false },
      entryPoints: Object.fromEntries(["traefik", ...names].map((name) => [name, entryPoint(name)])),
      providers: { providersThrottleDuration: "50ms", kubernetesCRD: { namespaces }, rest: { insecure: true } },
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

  /** Ports of the entry points at which the twins are, by the names that routes give them. */
  get ports(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#ports].flatMap(([name, port]) => (name.endsWith(open) ? [[name.slice(0, -open.length), port]] : [])),
    );
  }

  /** Warnings and errors of its own, lines of JSON; what its client of the cluster says of its pace is not among them. */
  get complaints(): string[] {
    return readFileSync(join(this.#folder, "log"), { encoding: "utf8", flag: "a+" })
      .split("\n")
      .filter((line) => line.startsWith("{"));
  }

  /** What the provider says, once it has `routers` for HTTP and TCP together. @throws Error with the log where that takes a minute */
  async read(routers: number): Promise<RawData> {
    return vi.waitFor(
      async () => {
        if (this.#child.exitCode !== null) throw new Error(this.complaints.join("\n"));
        const raw = await this.#api<RawData>("GET", "/api/rawdata");
        const found = [raw.routers, raw.tcpRouters].flatMap((all) => Object.keys(all ?? {}).filter(isJudged));
        if (found.length !== routers)
          throw new Error(
            [`${found.length} of ${routers} routers are there:`, ...found, ...this.complaints].join("\n"),
          );
        return raw;
      },
      { timeout: 60_000, interval: 50 },
    );
  }

  /**
   * Makes the twins.
   * @param serverOf address of the server that takes the place of one the provider found: `http://host:port`, for TCP `host:port`
   * @param at further entry points at which the twins of one are
   */
  async serve(
    raw: RawData,
    serverOf: (found: string) => string,
    at: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const http = twins(raw.routers, at);
    const tcp = twins(raw.tcpRouters, at);
    const services = judgedOf(raw.services).flatMap(([name, { loadBalancer }]) =>
      loadBalancer?.servers
        ? [
            [
              name,
              {
                loadBalancer: {
                  ...loadBalancer,
                  servers: loadBalancer.servers.map(({ url }) => ({ url: serverOf(url) })),
                },
              },
            ],
          ]
        : [],
    );
    const tcpServices = judgedOf(raw.tcpServices).flatMap(([name, { loadBalancer }]) =>
      loadBalancer?.servers
        ? [
            [
              name,
              {
                loadBalancer: {
                  ...loadBalancer,
                  ...(loadBalancer.serversTransport && { serversTransport: qualified(loadBalancer.serversTransport) }),
                  servers: loadBalancer.servers.map(({ address }) => ({ address: serverOf(address) })),
                },
              },
            ],
          ]
        : [],
    );
    const body = {
      http: { routers: http, services: Object.fromEntries(services) },
      tcp: { routers: tcp, services: Object.fromEntries(tcpServices) },
    };
    await this.#api("PUT", "/api/providers/rest", body);
    const wanted = Object.keys(http).length + Object.keys(tcp).length;
    await vi.waitFor(
      async () => {
        const now = await this.#api<RawData>("GET", "/api/rawdata");
        const routers = [now.routers, now.tcpRouters].flatMap((all) => Object.entries(all ?? {}));
        const served = routers.filter(([name]) => name.endsWith("@rest"));
        const broken = served.filter(([, { status }]) => status !== "enabled");
        if (served.length < wanted || broken.length > 0)
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

const isJudged = (name: string) => name.endsWith(judged);

/** The provider's entries by their names without it. */
function judgedOf<T>(entries: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(entries ?? {}).flatMap(([name, entry]) =>
    isJudged(name) ? [[name.slice(0, -judged.length), entry]] : [],
  );
}

function qualified(name: string): string {
  return name.includes("@") ? name : `${name}${judged}`;
}

function twins(routers: RawData["routers"], at: Readonly<Record<string, string>>): Record<string, object> {
  const made = judgedOf(routers).map(
    ([name, { status: _, error: __, entryPoints, service, middlewares, ...router }]) => {
      const { using: ___, ...rest } = router as typeof router & { using?: unknown };
      const more = Object.entries(at).flatMap(([added, original]) => (entryPoints.includes(original) ? [added] : []));
      return [
        name,
        {
          ...rest,
          entryPoints: [...entryPoints, ...more].map((entryPoint) => `${entryPoint}${open}`),
          service: service.replace(judged, ""),
          ...(middlewares && { middlewares: middlewares.map(qualified) }),
        },
      ];
    },
  );
  return Object.fromEntries(made);
}

/** Ports of 127.0.0.1 on which nothing listens, for the names. */
async function freePorts(names: readonly string[]): Promise<Map<string, number>> {
  const servers = names.map((name) => ({ name, server: createServer().listen(0, "127.0.0.1") }));
  await Promise.all(servers.map(({ server }) => once(server, "listening")));
  const ports = new Map(servers.map(({ name, server }) => [name, (server.address() as AddressInfo).port]));
  await Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
