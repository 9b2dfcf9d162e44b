import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(202, { "content-length": "0", "cache-control": "no-store" }).end();
});
server.maxRequestsPerSocket = 1000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
