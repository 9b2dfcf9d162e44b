import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "./clock.ts";
import { boundConnections } from "./connections.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import { createOperationsServer } from "./operations.ts";

/** A service that runs. */
export interface Service {
  readonly port: number;
  readonly operationsPort: number;
  /** Stops without losing an accepted call; resolves when all is closed. */
  stop(): Promise<void>;
}

/** Where a service listens, and how it ends. */
export interface ServiceSettings {
  /** Address to listen on; undefined: all. */
  readonly host: string | undefined;
  readonly port: number;
  /** Probes and metrics; not to be routed from outside. */
  readonly operationsPort: number;
  /** After SIGTERM calls are still taken for so many seconds, until no route leads here. */
  readonly drainSeconds: number;
}

/** What a service is, beside its ports. */
export interface ServiceParts {
  readonly server: Server;
  readonly metrics: Metrics;
  /** Undefined when ready, else what is missing. */
  notReady(): Promise<string | undefined>;
  /** Resolves when nothing that was accepted is under way. */
  settled(): Promise<unknown>;
  /** Calls being answered. */
  inFlight(): number;
  /** Milliseconds that calls under way get after the server takes no new ones. */
  readonly finishWithin: number;
  /** Closes connections to other servers. */
  close(): void;
}

/** Answers still on their way out get this long at the end. */
const closeWithin = 500;

/** Opens the service's ports. Rejects when one is taken. */
export async function serve(
  { host, drainSeconds, ...wanted }: ServiceSettings,
  clock: Clock,
  log: Log,
  { server, metrics, notReady, settled, inFlight, finishWithin, close }: ServiceParts,
): Promise<Service> {
  let draining = false;
  const operations = createOperationsServer(metrics, {
    notReady: async () => (draining ? "draining" : notReady()),
  });
  const port = await listen(server, wanted.port, host);
  const operationsPort = await listen(operations, wanted.operationsPort, host);
  log.event("info", "started", { port, operations_port: operationsPort });

  async function stop(): Promise<void> {
    draining = true;
    log.event("info", "draining", { seconds: drainSeconds });
    await pause(clock, drainSeconds * 1000);
    const closed = once(server, "close");
    server.close();
    await Promise.race([settled(), pause(clock, finishWithin)]);
    const lost = inFlight();
    // A peer that never sends anything would keep its connection, and the server, open for ever.
    await Promise.race([closed, pause(clock, closeWithin)]);
    server.closeAllConnections();
    operations.close();
    operations.closeAllConnections();
    close();
    log.event(lost > 0 ? "error" : "info", "stopped", { unanswered: lost });
  }
  return { port, operationsPort, stop };
}

/** The server that is routed from outside, guarded against slow and many callers. */
export function createPublicServer(): Server {
  const server = createServer({
    headersTimeout: 5_000,
    requestTimeout: 15_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // Longer than an ingress keeps idle connections (Traefik: 90 s), or it would write calls into sockets that are being closed.
    keepAliveTimeout: 95_000,
  });
  boundConnections(server, 1024);
  server.maxRequestsPerSocket = 1000;
  return server;
}

async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  server.listen(port, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Waits by the clock. */
export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((done) => clock.after(milliseconds, done));
}
