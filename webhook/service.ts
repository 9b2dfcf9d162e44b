import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import type { Clock } from "./clock.ts";
import { boundConnections } from "./connections.ts";
import { Credentials } from "./kubernetes/credentials.ts";
import { SiteClient } from "./kubernetes/site-client.ts";
import { Log } from "./log.ts";
import { createOperationsServer } from "./operations.ts";
import { Secrets } from "./secrets.ts";
import type { Settings } from "./settings.ts";
import { SiteSyncs } from "./site-syncs.ts";
import { Telemetry } from "./telemetry.ts";
import { WriteBudget } from "./write-budget.ts";

export interface Service {
  readonly port: number;
  readonly operationsPort: number;
  /** Stops without losing an accepted call; resolves when all is closed. */
  stop(): Promise<void>;
}

/** After the server takes no new connections, calls under way and their writes get this long. */
const finishWithin = 4_000;
/** Then answers still on their way out get this long. */
const closeWithin = 500;

/** Starts the service; resolves when both ports are open. Rejects when one is taken or the ServiceAccount can't be read. */
export async function startService(settings: Settings, clock: Clock, write: (line: string) => void): Promise<Service> {
  const log = new Log(write, clock);
  const telemetry = new Telemetry(log, clock);
  const credentials = new Credentials(settings.serviceAccountFolder, clock);
  await credentials.current();
  const client = new SiteClient(settings.api, credentials, clock, settings.writes.inFlight, (code, seconds) =>
    telemetry.apiRequest(code, seconds),
  );
  const syncs = new SiteSyncs((patch) => client.patch(patch), new WriteBudget(settings.writes, clock), clock);
  const { metrics } = telemetry;
  metrics.gauge("staticsite_sync_pending", "Writes waiting or under way.", () => syncs.pending);
  metrics.gauge("kube_token_age_seconds", "Time since the token in use was first read.", () => credentials.tokenAge);

  let draining = false;
  const server = createPublicServer();
  const app = createApp({
    syncs,
    secrets: settings.secretFile === undefined ? undefined : new Secrets(settings.secretFile, clock),
    namespaces: settings.namespaces,
    telemetry,
    closing: () => !server.listening,
  });
  server.on("request", getRequestListener(app.fetch, { autoCleanupIncoming: false }));
  const operations = createOperationsServer(metrics, {
    async notReady() {
      if (draining) return "draining";
      return (await credentials.readable()) ? undefined : "the ServiceAccount's token or CA can't be read";
    },
  });
  const port = await listen(server, settings.port, settings.host);
  const operationsPort = await listen(operations, settings.operationsPort, settings.host);
  log.event("info", "started", { port, operations_port: operationsPort });

  async function stop(): Promise<void> {
    draining = true;
    log.event("info", "draining", { seconds: settings.drainSeconds });
    await pause(clock, settings.drainSeconds * 1000);
    const closed = once(server, "close");
    server.close();
    await Promise.race([Promise.all([telemetry.quiet(), syncs.settled()]), pause(clock, finishWithin)]);
    const lost = telemetry.inFlight;
    // A peer that never sends anything would keep its connection, and the server, open for ever.
    await Promise.race([closed, pause(clock, closeWithin)]);
    server.closeAllConnections();
    operations.close();
    operations.closeAllConnections();
    client.close();
    log.event(lost > 0 ? "error" : "info", "stopped", { unanswered: lost });
  }
  return { port, operationsPort, stop };
}

function createPublicServer(): Server {
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

function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((done) => clock.after(milliseconds, done));
}
