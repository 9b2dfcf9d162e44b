import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureJudges } from "@hearth-platform/sandbox/programs/programs";
import { createProgress } from "@hearth-platform/sandbox/progress";
import { freePorts } from "../../support/free-ports.ts";
import { Backends } from "./backends.ts";
import { Traefik } from "./traefik.ts";

/** How a live stack's hosts are reached. */
export interface LiveHostsOptions {
  readonly kubeconfig: string;
  /** Namespaces with the stack's routes. */
  readonly namespaces: readonly string[];
  /** The authority of its certificates, PEM. */
  readonly authority: string;
  /** Stands for every program behind the routes. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
}

/** The public hosts of a live stack as clients reach them: by a real Traefik that reads its routes, with a server of the test for every program. */
export class LiveHosts implements AsyncDisposable {
  /** Options of `hearth smoke` that lead there. */
  readonly options: readonly string[];
  readonly #traefik: Traefik;
  readonly #folder: string;
  readonly #backends = new Backends();
  readonly #server;
  #ssh = "";

  private constructor(traefik: Traefik, { authority, answer }: LiveHostsOptions) {
    this.#traefik = traefik;
    this.#folder = mkdtempSync(join(tmpdir(), "hearth-hosts-"));
    const caFile = join(this.#folder, "authority.pem");
    writeFileSync(caFile, authority);
    const ports = traefik.ports("traefik");
    this.options = [
      ...["--address", "127.0.0.1", "--ca-file", caFile],
      ...["--ports", ["websecure", "web", "ssh"].map((name) => ports.get(name)).join()],
    ];
    this.#server = createServer(answer);
  }

  static async start(options: LiveHostsOptions): Promise<LiveHosts> {
    const [folder = ""] = await ensureJudges(["traefik"], createProgress());
    const entryPoints = { web: {}, websecure: {}, ssh: {} };
    const { kubeconfig, namespaces } = options;
    const ports = await freePorts(Object.keys(entryPoints));
    const hosts = new LiveHosts(
      await Traefik.start({ program: `${folder}/traefik`, kubeconfig, namespaces, entryPoints, ports }),
      options,
    );
    hosts.#server.listen(0, "127.0.0.1");
    await once(hosts.#server, "listening");
    hosts.#ssh = `127.0.0.1:${await hosts.#backends.ssh()}`;
    return hosts;
  }

  /** Serves what the routes say now. */
  async follow(): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    const serverOf = (found: string) => (found.includes("://") ? `http://127.0.0.1:${port}` : this.#ssh);
    await this.#traefik.serve(await this.#traefik.now(), serverOf);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#traefik.stop();
    await this.#backends.close();
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.#folder, { recursive: true });
  }
}
