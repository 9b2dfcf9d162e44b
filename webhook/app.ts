import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type BodyEnd, declaresTooLarge, drainBody } from "./body.ts";
import { eventKind } from "./delivery.ts";
import { answerTo, type Outcome, outcomeOf } from "./outcomes.ts";
import type { SecretCheck, Secrets } from "./secrets.ts";
import { parseSiteName, type SiteName } from "./site-name.ts";
import type { SiteSyncs, SyncResult } from "./site-syncs.ts";
import type { Report, Telemetry } from "./telemetry.ts";

export interface AppParts {
  readonly syncs: SiteSyncs;
  /** Undefined: calls need no secret. */
  readonly secrets: Secrets | undefined;
  /** Undefined: every namespace. */
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly telemetry: Telemetry;
  /** True when the server takes no new calls; those that still come on open connections are sent away. */
  readonly closing: () => boolean;
}

type Call = Context<{ Bindings: HttpBindings }, "/sync/:namespace/:site">;
/** How a call ended; `last` closes its connection. */
type Ending = Omit<Report, "route"> & { readonly last?: boolean };

/** Calls answered at the same time: as many as connections, so that pipelined calls can't fill the memory. */
const inFlightLimit = 1024;

/** The public routes: `POST /sync/:namespace/:site`, and nothing else. */
export function createApp(parts: AppParts): Hono<{ Bindings: HttpBindings }> {
  const { telemetry, closing } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();

  function finish(call: { env: HttpBindings }, begun: number, route: Report["route"], ending: Ending): Response {
    telemetry.finished(call.env.incoming, begun, { ...ending, route });
    return answerTo(ending.outcome, ending.last === true || closing());
  }

  app.post("/sync/:namespace/:site", async (call) => {
    const begun = telemetry.begun();
    const ending = await sync(call, parts).catch((): Ending => ({ outcome: "error", reason: "unexpected" }));
    return finish(call, begun, "/sync/:namespace/:site", ending);
  });
  app.all("/sync/:namespace/:site", (call) =>
    finish(call, telemetry.begun(), "/sync/:namespace/:site", { outcome: "method" }),
  );
  app.notFound((call) => finish(call, telemetry.begun(), "other", { outcome: "not_found" }));
  app.onError((_, call) => finish(call, telemetry.begun(), "other", { outcome: "error", reason: "unexpected" }));
  return app;
}

async function sync(call: Call, { syncs, secrets, namespaces, telemetry, closing }: AppParts): Promise<Ending> {
  const { incoming } = call.env;
  if (declaresTooLarge(incoming)) return { outcome: "too_large", last: true };
  if (closing()) return { outcome: "shed", reason: "closing", last: true };
  if (telemetry.inFlight > inFlightLimit) return { outcome: "shed", reason: "in_flight" };

  const site = parseSiteName(call.req.param("namespace"), call.req.param("site"));
  if (!site) return afterBody(incoming, { outcome: "invalid" });
  if (namespaces && !namespaces.has(site.namespace)) return afterBody(incoming, { outcome: "not_found", site });

  const kind = eventKind(incoming.headers);
  if (kind === "other") return afterBody(incoming, { outcome: "ignored", site });
  const dryRun = kind === "ping";
  const start = () => syncs.request(site, dryRun);
  return secrets ? syncWithSecret(incoming, site, dryRun, secrets, start) : syncWithBody(incoming, site, dryRun, start);
}

/** The body is drained while the API server is asked. */
async function syncWithBody(
  incoming: IncomingMessage,
  site: SiteName,
  dryRun: boolean,
  start: () => Promise<SyncResult>,
): Promise<Ending> {
  const result = start();
  const body = drainBody(incoming);
  return endingOf(await result, site, dryRun, body ? await body : "complete");
}

/** Nothing is asked of the API server before the whole body is known to be signed. */
async function syncWithSecret(
  incoming: IncomingMessage,
  site: SiteName,
  dryRun: boolean,
  secrets: Secrets,
  start: () => Promise<SyncResult>,
): Promise<Ending> {
  let check: SecretCheck;
  try {
    check = await secrets.check(incoming.headers);
  } catch {
    return afterBody(incoming, { outcome: "error", site, reason: "secret_unreadable" });
  }
  const end = (await drainBody(incoming, (part) => check.update(part))) ?? "complete";
  if (end === "too_large") return { outcome: "too_large", site, last: true };
  if (end !== "complete" || !check.passes()) return { outcome: "denied", site, last: end !== "complete" };
  return endingOf(await start(), site, dryRun, end);
}

async function afterBody(incoming: IncomingMessage, ending: Ending): Promise<Ending> {
  const end = (await drainBody(incoming)) ?? "complete";
  if (end === "too_large") return { ...ending, outcome: "too_large", last: true };
  return end === "complete" ? ending : { ...ending, last: true };
}

function endingOf(result: SyncResult, site: SiteName, dryRun: boolean, body: BodyEnd): Ending {
  const outcome: Outcome = body === "too_large" ? "too_large" : outcomeOf(result, dryRun);
  return { outcome, site, apiStatus: result.apiStatus, reason: result.reason, last: body !== "complete" };
}
