import { once } from "node:events";
import { Agent } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { type Attempt, attempt } from "@hearth-platform/site-webhook/http-attempt";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** One request to another server, which answers as each test says. */

let server: Server;
let sockets: Socket[];
let answer: (socket: Socket) => void;

beforeEach(async () => {
  sockets = [];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((done) => server.close(done));
});

const patient = { connect: 60_000, headers: 60_000, total: 60_000 };
const ask = (times = patient, agent = new Agent()): Promise<Attempt> =>
  attempt({ agent, protocol: "http:", host: "127.0.0.1", port: (server.address() as AddressInfo).port }, "", times);

describe("an answer", () => {
  test("is read up to a megabyte; one byte more is none", async () => {
    const of = (size: number) => {
      answer = (socket) =>
        socket.end(
          Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`), Buffer.alloc(size)]),
        );
      return ask();
    };
    expect(await of(2 ** 20)).toMatchObject({ status: 200, body: { length: 2 ** 20 } });
    expect(await of(2 ** 20 + 1)).toEqual({ fault: "garbage", reusedSocket: false });
  });

  test.each([
    ["its length says more", "content-length: 5\r\n\r\nab"],
    ["a part of it is cut", "transfer-encoding: chunked\r\n\r\n5\r\nab"],
    ["its last part does not come", "transfer-encoding: chunked\r\n\r\n2\r\nab\r\n"],
  ])("whose connection ends while %s is none", async (_, rest) => {
    answer = (socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`);
    expect(await ask()).toEqual({ fault: "reset", reusedSocket: false });
  });
});

describe("a server that does not answer", () => {
  test("has no more time in all because it had some to connect", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const seen: Attempt[] = [];
      answer = () => undefined;
      const call = ask({ connect: 2_000, headers: 10_000, total: 300 }).then((end) => seen.push(end));
      await once(server, "connection");
      await new Promise((done) => setImmediate(done));
      await vi.advanceTimersByTimeAsync(299);
      expect(seen).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await call;
      expect(seen).toEqual([{ fault: "timeout", reusedSocket: false }]);
    } finally {
      vi.useRealTimers();
    }
  });
});

/** An agent whose connections end with a code. */
class Failing extends Agent {
  readonly #code: string;

  constructor(code: string) {
    super();
    this.#code = code;
  }

  override createConnection(...[, callback]: Parameters<Agent["createConnection"]>): undefined {
    callback?.(Object.assign(new Error(this.#code), { code: this.#code }), undefined as never);
  }
}

test.each([
  ...["ECONNRESET", "EPIPE", "ECONNABORTED"].map((code) => [code, "reset"]),
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"].map((code) => [code, "unsent"]),
  ...["CERT_HAS_EXPIRED", "SELF_SIGNED_CERT_IN_CHAIN", "DEPTH_ZERO_SELF_SIGNED_CERT"].map((code) => [
    code,
    "untrusted",
  ]),
  ...["ERR_TLS_CERT_ALTNAME_INVALID", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"].map((code) => [code, "untrusted"]),
  ["ETIMEDOUT", "timeout"],
  ["HPE_INVALID_CONSTANT", "garbage"],
])("a connection that ends with %s is %s", async (code, fault) => {
  expect(await ask(patient, new Failing(code))).toEqual({ fault, reusedSocket: false });
});
