import { getRequestListener } from "@hono/node-server";
import { createApp } from "./app.ts";
import { CallBudget } from "./call-budget.ts";
import type { Clock } from "./clock.ts";
import { ClusterCredentials } from "./kubernetes/credentials.ts";
import { SiteClient } from "./kubernetes/site-client.ts";
import { Log } from "./log.ts";
import { Secrets } from "./secrets.ts";
import { createPublicServer, type Service, serve } from "./servers.ts";
import type { SyncSettings } from "./settings.ts";
import { SiteSyncs } from "./site-syncs.ts";
import { Telemetry } from "./telemetry.ts";

/** Calls under way and their writes get this long when the service ends. */
const finishWithin = 4_000;

/** Starts the service; resolves when both ports are open. Rejects when one is taken or the ServiceAccount can't be read. */
export async function startService(
  settings: SyncSettings,
  clock: Clock,
  write: (line: string) => void,
): Promise<Service> {
  const log = new Log(write, clock);
  const telemetry = new Telemetry(log, clock);
  const credentials = new ClusterCredentials(settings.serviceAccountFolder, clock);
  await credentials.current();
  const client = new SiteClient(settings.api, credentials, clock, settings.writes.inFlight, (code, seconds) =>
    telemetry.apiRequest(code, seconds),
  );
  const syncs = new SiteSyncs((patch) => client.patch(patch), new CallBudget(settings.writes, clock), clock);
  const { metrics } = telemetry;
  metrics.gauge("staticsite_sync_pending", "Writes waiting or under way.", () => syncs.pending);
  metrics.gauge("kube_token_age_seconds", "Time since the token in use was first read.", () => credentials.tokenAge);

  const server = createPublicServer();
  const app = createApp({
    syncs,
    secrets: settings.secretFile === undefined ? undefined : new Secrets(settings.secretFile, clock),
    namespaces: settings.namespaces,
    telemetry,
    closing: () => !server.listening,
  });
  server.on("request", getRequestListener(app.fetch, { autoCleanupIncoming: false }));
  return serve(settings, clock, log, {
    server,
    metrics,
    finishWithin,
    notReady: async () =>
      (await credentials.readable()) ? undefined : "the ServiceAccount's token or CA can't be read",
    settled: () => Promise.all([telemetry.quiet(), syncs.settled()]),
    inFlight: () => telemetry.inFlight,
    close: () => client.close(),
  });
}
