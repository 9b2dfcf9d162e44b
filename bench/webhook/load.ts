import { connect, type Socket } from "node:net";

/** What a load came to. */
export interface LoadFigures {
  readonly calls: number;
  /** Calls answered with another status than 2xx. */
  readonly failed: number;
  readonly seconds: number;
  /** Milliseconds within which 99 % were answered. */
  readonly p99: number;
}

export interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  /** Calls to send in all. */
  readonly calls: number;
  /** The path of the n-th call. */
  readonly path: (number: number) => string;
  /** Calls sent on a connection without waiting for an answer. @default 1 */
  readonly pipelined?: number;
}

/**
 * Sends calls as fast as they are answered, over plain sockets: answers have no body, so each ends with an empty line.
 * A connection that the server closes is opened again.
 */
export async function load(options: LoadOptions): Promise<LoadFigures> {
  const { connections, calls, pipelined = 1 } = options;
  const begun = performance.now();
  const times: number[] = [];
  let sent = 0;
  let failed = 0;

  const more = () => sent < calls;
  const next = (): string => `POST ${options.path(sent++)} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`;

  const one = () =>
    new Promise<void>((done) => {
      let waiting: number[] = [];
      let rest = "";
      let last = false;
      const send = (socket: Socket): void => {
        let text = "";
        while (!last && waiting.length < pipelined && more()) {
          text += next();
          waiting.push(performance.now());
        }
        if (text) socket.write(text);
        else if (waiting.length === 0) socket.destroy();
      };
      const open = (): void => {
        waiting = [];
        rest = "";
        last = false;
        const socket = connect(options.port, "127.0.0.1", () => send(socket));
        socket.setNoDelay(true);
        socket.on("error", () => {});
        socket.on("data", (part) => {
          const answers = (rest + part.toString("latin1")).split("\r\n\r\n");
          rest = answers.pop() ?? "";
          for (const answer of answers) {
            // Calls sent after the one that the server calls a connection's last are refused, and sent again on the next.
            if (last) break;
            last = answer.includes("onnection: close");
            if (answer[9] !== "2") failed += 1;
            times.push(performance.now() - (waiting.shift() ?? 0));
          }
          if (last) socket.destroy();
          else if (waiting.length === 0) send(socket);
        });
        socket.on("close", () => {
          // Calls on their way when the server closed the connection are sent again.
          sent -= waiting.length;
          if (more()) open();
          else done();
        });
      };
      open();
    });
  await Promise.all(Array.from({ length: connections }, one));
  times.sort((a, b) => a - b);
  return {
    calls: times.length,
    failed,
    seconds: (performance.now() - begun) / 1000,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
  };
}
