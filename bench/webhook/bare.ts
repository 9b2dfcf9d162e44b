import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `node:http` that does nothing: answers at once, or with `next-second` all calls together at the next whole second. */
const together = process.argv[2] === "next-second";
let waiting: ServerResponse[] = [];

function answer(response: ServerResponse): void {
  response.writeHead(202, { "content-length": "0", "cache-control": "no-store" }).end();
}

const server = createServer((request, response) => {
  request.resume();
  if (!together) {
    answer(response);
    return;
  }
  waiting.push(response);
  if (waiting.length > 1) return;
  setTimeout(
    () => {
      const now = waiting;
      waiting = [];
      for (const one of now) answer(one);
    },
    1000 - (Date.now() % 1000),
  );
});
server.maxRequestsPerSocket = 1000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
