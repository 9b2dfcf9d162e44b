import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { Agent, request as patch } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/**
 * `node:http` that does nothing of its own: it answers at once, or with `PORT FOLDER` after a PATCH to the API server
 * at the port, whose authority lies in the folder.
 */
const [apiPort, folder = ""] = process.argv.slice(2);

function answer(response: ServerResponse): void {
  response.writeHead(202, { "content-length": "0", "cache-control": "no-store" }).end();
}

const patching = apiPort !== undefined && {
  method: "PATCH",
  host: "127.0.0.1",
  port: apiPort,
  path: "/apis/pages.kup6s.com/v1beta1/namespaces/pages/staticsites/site",
  headers: { "content-type": "application/merge-patch+json" },
  ca: readFileSync(join(folder, "ca.crt")),
  agent: new Agent({ keepAlive: true }),
};

const server = createServer((request, response) => {
  request.resume();
  if (!patching) {
    answer(response);
    return;
  }
  patch(patching, (written) => {
    written.resume();
    written.on("end", () => answer(response));
  }).end(JSON.stringify({ metadata: { annotations: { sync: String(Date.now()) } } }));
});
server.maxRequestsPerSocket = 1000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
