import { once } from "node:events";
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { connect as connectTcp } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Seen } from "./backends.ts";
import type { Ask } from "./row.ts";

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What the backend got; nothing where none did. */
  readonly seen?: Seen;
  /** Names of the certificate; undefined by HTTP or where the caller does not trust it. */
  readonly certificate?: readonly string[];
  /** What came back through a WebSocket. */
  readonly echo?: string;
}

const word = "how are you";

/** Sends requests to a proxy on 127.0.0.1, as clients outside do. */
export class Caller {
  readonly #ports: ReadonlyMap<string, number>;
  readonly #authority: string;
  readonly #http = new HttpAgent({ keepAlive: true });
  // A resumed session does not say whether its certificate is trusted.
  readonly #https = new HttpsAgent({ keepAlive: true, maxCachedSessions: 0 });

  /** @param ports of the entry points @param authority certificates that are trusted, PEM */
  constructor(ports: ReadonlyMap<string, number>, authority: string) {
    this.#ports = ports;
    this.#authority = authority;
  }

  async send(ask: Ask): Promise<Answer> {
    if (ask.http === "2") return this.#http2(ask);
    const { request, isTls } = this.#request(ask);
    if (ask.webSocket) return this.#upgraded(request, isTls);
    request.end(ask.body ? Buffer.alloc(ask.body, "x") : undefined);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return answer(response, isTls);
  }

  /** Sends a request whose body stays unfinished until it is told to. */
  slowly(ask: Ask): { status: Promise<number>; finish: () => void } {
    const { request, isTls } = this.#request({ ...ask, chunked: true });
    request.write("x");
    const status = once(request, "response").then(async ([response]) => (await answer(response, isTls)).status);
    return { status, finish: () => request.end() };
  }

  /** Connects to an entry point for TCP, sends a line and reads two: the server's greeting and the line. */
  async ssh(entry: string, from: string): Promise<string[]> {
    const socket = connectTcp({ host: "127.0.0.1", port: this.#port(entry), localAddress: from });
    socket.write(`${word}\r\n`);
    let read = "";
    for await (const chunk of socket) {
      read += chunk;
      if (read.split("\r\n").length > 2) break;
    }
    return read.trimEnd().split("\r\n");
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #port(entry: string): number {
    const port = this.#ports.get(entry);
    if (port === undefined) throw new Error(`No entry point is called ${entry}.`);
    return port;
  }

  #request(ask: Ask) {
    const { scheme, host, path, entry } = parts(ask);
    const isTls = scheme === "https";
    const options = {
      host: "127.0.0.1",
      port: this.#port(entry),
      localAddress: ask.from ?? "127.0.0.1",
      method: ask.method ?? "GET",
      path,
      setHost: false,
      headers: {
        host,
        ...(ask.body !== undefined && !ask.chunked && { "content-length": String(ask.body) }),
        ...(ask.chunked && { "transfer-encoding": "chunked" }),
        ...(ask.webSocket && {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        }),
        ...ask.headers,
      },
    };
    const tls = { servername: serverName(ask, host), ca: this.#authority, rejectUnauthorized: false };
    const request = isTls
      ? httpsRequest({ ...options, ...tls, agent: this.#https })
      : httpRequest({ ...options, agent: this.#http });
    return { request, isTls };
  }

  async #upgraded(request: ReturnType<typeof httpRequest>, isTls: boolean): Promise<Answer> {
    const refused = once(request, "response").then(([response]) => answer(response, isTls));
    const upgraded = once(request, "upgrade").then(async ([response, socket]) => {
      const told = Buffer.from(String(response.headers["x-seen"] ?? ""), "base64").toString();
      const names = isTls ? certificate(socket as TLSSocket) : {};
      socket.write(word);
      const [chunk] = await once(socket, "data");
      socket.destroy();
      const { statusCode = 0, headers } = response;
      return { status: statusCode, headers, ...parsed(told), ...names, echo: String(chunk) };
    });
    request.end();
    return Promise.race([refused, upgraded]);
  }

  async #http2(ask: Ask): Promise<Answer> {
    const { host, path, entry } = parts(ask);
    const session = connectHttp2(`https://${host}`, {
      host: "127.0.0.1",
      port: this.#port(entry),
      servername: serverName(ask, host),
      ca: this.#authority,
    } as Parameters<typeof connectHttp2>[1]);
    try {
      const stream = session.request({
        ":method": ask.method ?? "GET",
        ":path": path,
        ":authority": host,
        ...ask.headers,
      });
      stream.end(ask.body ? Buffer.alloc(ask.body, "x") : undefined);
      const [headers] = await once(stream, "response");
      return {
        status: headers[":status"],
        headers,
        ...parsed(await text(stream)),
        ...certificate(session.socket as TLSSocket),
      };
    } finally {
      session.close();
    }
  }
}

/** The word a WebSocket says. */
export const spoken = word;

function parts({ url, entry }: Ask) {
  const [, scheme = "", host = "", path = "/"] = /^(https?):\/\/([^/]*)(\/.*)$/.exec(url) ?? [];
  return { scheme, host, path, entry: entry ?? (scheme === "https" ? "websecure" : "web") };
}

function serverName({ serverName }: Ask, host: string): string {
  return serverName ?? host.replace(/\.?(?::\d+)?$/, "").toLowerCase();
}

async function text(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function answer(response: IncomingMessage, isTls: boolean): Promise<Answer> {
  // The socket leaves the response with its last byte.
  const names = isTls ? certificate(response.socket as TLSSocket) : {};
  const { statusCode = 0, headers } = response;
  return { status: statusCode, headers, ...parsed(await text(response)), ...names };
}

/** A backend's own words; any other body is the proxy's. */
function parsed(body: string): Pick<Answer, "seen"> {
  return body.startsWith('{"backend"') ? { seen: JSON.parse(body) } : {};
}

function certificate(socket: TLSSocket): Pick<Answer, "certificate"> {
  if (!socket.authorized) return {};
  return {
    certificate: socket
      .getPeerCertificate()
      .subjectaltname?.split(", ")
      .map((name) => name.replace("DNS:", "")),
  };
}
