import { createServer, type Server } from "node:http";
import type { Metrics } from "./metrics.ts";

/** Judges the service for the kubelet; each may also say why not. */
export interface Health {
  /** Undefined when ready, else what is missing. */
  notReady(): Promise<string | undefined>;
}

/** Serves `/livez`, `/readyz` and `/metrics`. Alive is who answers: a process whose event loop hangs doesn't. */
export function createOperationsServer(metrics: Metrics, health: Health): Server {
  const server = createServer(async (request, response) => {
    const [path] = (request.url ?? "").split("?", 1);
    const reply = (status: number, type: string, body: string): void => {
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    };
    const state = (message: string | undefined): void =>
      reply(
        message === undefined ? 200 : 503,
        "application/json",
        JSON.stringify(message === undefined ? { status: "ok" } : { status: "failed", message }),
      );
    if (request.method !== "GET") reply(405, "text/plain", "");
    else if (path === "/livez") state(undefined);
    else if (path === "/readyz") state(await health.notReady());
    else if (path === "/metrics") reply(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text());
    else reply(404, "text/plain", "");
  });
  server.headersTimeout = 5_000;
  server.requestTimeout = 15_000;
  server.maxConnections = 64;
  return server;
}
