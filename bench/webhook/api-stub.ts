import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A TLS server that answers each patch as the API server does, in a process of its own: `node api-stub.ts <certificate> <key>`. */
const [certificate = "", key = ""] = process.argv.slice(2);
const padding = "x".repeat(800);

const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  let text = "";
  request.setEncoding("utf8");
  request.on("data", (part: string) => {
    text += part;
  });
  request.on("end", () => {
    const { annotations } = JSON.parse(text).metadata;
    const answer = { kind: "PartialObjectMetadata", metadata: { annotations: { ...annotations, padding } } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
