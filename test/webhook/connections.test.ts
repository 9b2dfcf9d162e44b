import { EventEmitter, once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { boundConnections } from "@hearth-platform/site-webhook/connections";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const most = 8;
let server: Server;
let port = 0;
let sockets: Socket[] = [];
/** Answers that wait until the test lets them go. */
let held: (() => void)[] = [];

beforeEach(async () => {
  sockets = [];
  held = [];
  // Nothing else closes a silent connection here.
  server = createServer({ headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 }, ({ url }, response) => {
    if (url === "/held") held.push(() => response.end("held"));
    else response.end("done");
  });
  boundConnections(server, most);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

interface Opened {
  readonly socket: Socket;
  readonly answered: Promise<void>;
  readonly closed: Promise<void>;
}

/** A connection from an address of this machine that has sent `first`. */
async function opened(localAddress: string, first: string): Promise<Opened> {
  const arrived = once(server, "connection");
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => {});
  sockets.push(socket);
  const answered = new Promise<void>((resolve) => socket.on("data", () => resolve()));
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  await arrived;
  socket.write(first);
  return { socket, answered, closed };
}

async function fill(localAddress: string, count: number, first = "POST / HTTP/1.1\r\n"): Promise<Opened[]> {
  const all: Opened[] = [];
  for (let index = 0; index < count; index++) all.push(await opened(localAddress, first));
  return all;
}

function call(localAddress: string, path = "/"): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", localAddress, path, agent: new Agent() },
      (answer: IncomingMessage) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    sent.on("error", reject).end();
  });
}

it("another source is answered while one holds every connection with heads that never end", async () => {
  const slow = await fill("127.0.0.1", most);
  expect(await call("127.0.0.2")).toBe(200);
  await slow[0]?.closed;
  expect(slow.slice(1).every(({ socket }) => !socket.closed)).toBe(true);
});

it("the source with the most silent connections gives way, not a smaller one", async () => {
  const [small] = await fill("127.0.0.3", 1);
  const slow = await fill("127.0.0.1", most - 1);
  expect(await call("127.0.0.2")).toBe(200);
  await slow[0]?.closed;
  expect(small?.socket.closed).toBe(false);
});

it("connections that idle after a call give way too", async () => {
  const idle = await fill("127.0.0.1", most, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await Promise.all(idle.map(({ answered }) => answered));
  expect(await call("127.0.0.2")).toBe(200);
});

it("calls under way keep their places, and the newcomer is refused", async () => {
  const busy = Array.from({ length: most }, () => call("127.0.0.1", "/held"));
  while (held.length < most) await once(server, "request");
  await expect(call("127.0.0.2")).rejects.toThrow();
  for (const answer of held) answer();
  expect(await Promise.all(busy)).toEqual(Array(most).fill(200));
});

/** A connection by its events alone: it closes when the test says so, though it may be destroyed before. */
class Line extends EventEmitter {
  destroyed = false;
  readonly remoteAddress = "10.0.0.1";
  destroy() {
    this.destroyed = true;
  }
}

describe("the bound on connections", () => {
  /** A server bounded to `most` connections, and what comes to it. */
  function bounded() {
    const server = new EventEmitter();
    boundConnections(server as Server, most);
    const connects = (count = 1) =>
      Array.from({ length: count }, () => {
        const line = new Line();
        server.emit("connection", line);
        return line;
      });
    const speaks = (line: Line) => {
      const response = new EventEmitter();
      server.emit("request", { socket: line }, response);
      return response;
    };
    return { connects, speaks };
  }
  const gone = (lines: readonly Line[]) => lines.filter(({ destroyed }) => destroyed).length;

  it("is kept when several come before a silent one has closed: each takes another's place", () => {
    const { connects } = bounded();
    const silent = connects(most);
    expect(gone(connects(3))).toBe(0);
    expect(gone(silent)).toBe(3);
  });

  it("has places again when connections close", () => {
    const { connects, speaks } = bounded();
    const lines = connects(most);
    for (const line of lines) speaks(line);
    expect(gone(connects())).toBe(1);
    for (const line of lines) line.emit("close");
    const next = connects(most);
    for (const line of next) speaks(line);
    expect(gone(next)).toBe(0);
    expect(gone(connects())).toBe(1);
  });

  it("is not kept by a connection that is gone: its place is free once", () => {
    const { connects, speaks } = bounded();
    const lines = connects(most);
    const responses = lines.map(speaks);
    lines[0]?.destroy();
    lines[0]?.emit("close");
    responses[0]?.emit("close");
    const [next] = connects();
    if (next) speaks(next);
    expect(next?.destroyed).toBe(false);
    expect(gone(connects())).toBe(1);
  });
});
