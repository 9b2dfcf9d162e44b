import type { ServerResponse } from "node:http";

/** A way in which the API server, or the network before it, misbehaves for one request. */
export type Fault =
  | "forbidden"
  | "conflict"
  | "invalid"
  | "throttled"
  | "internal error"
  | "unavailable"
  | "no such resource"
  | "no such group"
  | "hang"
  | "hang in body"
  | "reset"
  | "reset after writing"
  | "not HTTP"
  | "not JSON"
  | "wrong length"
  | "huge body"
  | "slow body"
  | "close after"
  | "redirect"
  | "annotation dropped";

const refusals: Partial<Record<Fault, [number, string]>> = {
  forbidden: [403, "Forbidden"],
  conflict: [409, "Conflict"],
  invalid: [422, "Invalid"],
  throttled: [429, "TooManyRequests"],
  "internal error": [500, "InternalError"],
  unavailable: [503, "ServiceUnavailable"],
};

/** Lets a fault answer in the place of the API server; false when there is none, or one that only changes the API server's own answer. */
export function misbehave(fault: Fault | undefined, response: ServerResponse): boolean {
  const { socket } = response;
  const refusal = fault && refusals[fault];
  if (refusal) {
    status(response, ...refusal);
    return true;
  }
  switch (fault) {
    case "no such resource":
      status(response, 404, "NotFound", {});
      return true;
    case "no such group":
      response.writeHead(404, { "content-type": "text/plain" }).end("404 page not found\n");
      return true;
    case "hang":
      return true;
    case "hang in body":
      response.writeHead(200, { "content-length": "500" }).write('{"kind":');
      return true;
    case "reset":
      socket?.destroy();
      return true;
    case "not HTTP":
      socket?.end("SSH-2.0-OpenSSH_9.2\r\n");
      return true;
    case "not JSON":
      response.writeHead(200).end("<html>ok</html>");
      return true;
    case "wrong length":
      socket?.end("HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n{}");
      return true;
    case "huge body":
      response.writeHead(200);
      flood(response, 100 * 1024 * 1024);
      return true;
    case "slow body":
      response.writeHead(200);
      drip(response);
      return true;
    case "redirect":
      response.writeHead(307, { location: "https://127.0.0.1:1/" }).end();
      return true;
    default:
      return false;
  }
}

/** Answers with a Kubernetes Status. */
export function status(response: ServerResponse, code: number, reason: string, details?: object): void {
  if (code === 429) response.setHeader("retry-after", "1");
  response.writeHead(code, { "content-type": "application/json" }).end(
    JSON.stringify({
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      message: `fake: ${reason}`,
      reason,
      details,
      code,
    }),
  );
}

function flood(response: ServerResponse, bytes: number): void {
  const part = Buffer.alloc(64 * 1024, "x");
  let left = bytes;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= part.length;
      if (!response.write(part)) {
        response.once("drain", more);
        return;
      }
    }
    response.end();
  };
  response.on("error", () => {});
  more();
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(" "), 100);
  response.on("error", () => {});
  response.on("close", () => clearInterval(timer));
}
