import { once } from "node:events";
import { createServer, type Server as HttpServer, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";

/** What a backend says that it got: the body of its answer. */
export interface Seen {
  readonly backend: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Length of the body. */
  readonly bytes: number;
}

/** First bytes of the PROXY protocol's version 2. (haproxy doc/proxy-protocol.txt) */
const proxySignature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");

/** Stands for the Services behind the routes, on 127.0.0.1: each tells what it got, and gives back what a WebSocket says. */
export class Backends {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] = [];
  #reading = 0;

  /** Starts one that speaks HTTP. @returns its port */
  async http(backend: string): Promise<number> {
    const server = createServer(async (request, response) => {
      let bytes = 0;
      this.#reading += 1;
      for await (const chunk of request) bytes += chunk.length;
      this.#reading -= 1;
      if (request.headers["x-hold"]) await new Promise<void>((resolve) => this.#held.push(resolve));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(seen(backend, request, bytes)));
    });
    server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      const told = Buffer.from(JSON.stringify(seen(backend, request, 0))).toString("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Seen: ${told}\r\n\r\n`,
      );
      socket.pipe(socket);
    });
    return this.#listen(server);
  }

  /** Starts one that greets as an SSH server does, with the address that the PROXY protocol tells, or `none`. @returns its port */
  async ssh(): Promise<number> {
    const server = createTcpServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.once("data", (first: Buffer) => {
        const proxied = first.subarray(0, proxySignature.length).equals(proxySignature);
        const header = proxied ? 16 + first.readUInt16BE(14) : 0;
        socket.write(`SSH-2.0-stub ${proxied ? [...first.subarray(16, 20)].join(".") : "none"}\r\n`);
        socket.write(first.subarray(header));
        socket.pipe(socket);
      });
    });
    return this.#listen(server);
  }

  /** How many requests with the header `x-hold` wait for {@link release}. */
  get held(): number {
    return this.#held.length;
  }

  /** Requests whose body has not come to its end. */
  get reading(): number {
    return this.#reading;
  }

  /** Answers the requests that wait. */
  release(): void {
    for (const answer of this.#held) answer();
    this.#held = [];
  }

  async close(): Promise<void> {
    this.release();
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) {
      server.close();
      if ("closeAllConnections" in server) (server as HttpServer).closeAllConnections();
    }
  }

  async #listen(server: Server): Promise<number> {
    this.#servers.push(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
}

function seen(backend: string, { method = "", url = "", headers }: IncomingMessage, bytes: number): Seen {
  return { backend, method, path: url, headers, bytes };
}
