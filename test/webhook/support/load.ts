import { Agent, request } from "node:http";

/** What became of one call under load. `status` is undefined when there was no answer. */
export interface LoadResult {
  readonly site: string;
  readonly status: number | undefined;
  /** Wall clock, milliseconds. */
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** Sends calls on kept connections, without waiting for each other. */
export class Load {
  readonly results: LoadResult[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  readonly #port: number;
  readonly #open = new Set<Promise<void>>();

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends a call for a site of the namespace `pages`. */
  send(site: string): Promise<void> {
    const sentAt = Date.now();
    const sent = new Promise<void>((done) => {
      const end = (status: number | undefined) => {
        this.results.push({ site, status, sentAt, answeredAt: Date.now() });
        done();
      };
      const outgoing = request({
        host: "127.0.0.1",
        port: this.#port,
        path: `/sync/pages/${site}`,
        method: "POST",
        agent: this.#agent,
        headers: { "content-length": "0" },
      });
      outgoing.on("response", (incoming) => {
        incoming.resume();
        incoming.on("end", () => end(incoming.statusCode));
        incoming.on("error", () => end(undefined));
      });
      outgoing.on("error", () => end(undefined));
      outgoing.end();
    });
    this.#open.add(sent);
    void sent.then(() => this.#open.delete(sent));
    return sent;
  }

  /** Waits for all answers. */
  async settled(): Promise<void> {
    await Promise.all(this.#open);
  }

  close(): void {
    this.#agent.destroy();
  }
}
