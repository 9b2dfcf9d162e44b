import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { type BodyEnd, declaresTooLarge, drainBody } from "./body.ts";
import { eventKind } from "./delivery.ts";
import { answerTo, callOutcome, type Outcome } from "./outcomes.ts";
import type { SecretCheck, Secrets } from "./secrets.ts";
import { parseSiteName, type SiteName } from "./site-name.ts";
import type { SiteSyncs, SyncResult } from "./site-syncs.ts";
import type { MeasuredRoute, Report, Telemetry } from "./telemetry.ts";

export interface SyncAppParts {
  readonly syncs: SiteSyncs;
  /** Undefined: calls need no secret. */
  readonly secrets: Secrets | undefined;
  /** Undefined: every namespace. */
  readonly namespaces: ReadonlySet<string> | undefined;
  readonly telemetry: Telemetry;
  /** True when the server takes no new calls; those that still come on open connections are sent away. */
  readonly closing: () => boolean;
}

type Call = Context<{ Bindings: HttpBindings }, typeof syncRoute>;
/** How a call ended; `last` closes its connection. */
type Ending = Report & { readonly last?: boolean };

const syncRoute = "/sync/:namespace/:site";

/** Calls answered at the same time: as many as connections, so that pipelined calls can't fill the memory. */
const inFlightLimit = 1024;

/** The public routes: `POST /sync/:namespace/:site`, and nothing else. */
export function createApp(parts: SyncAppParts): Hono<{ Bindings: HttpBindings }> {
  const { telemetry, closing } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();

  function finish({ incoming }: HttpBindings, begun: number, route: MeasuredRoute, ending: Ending): Response {
    telemetry.finished(incoming, begun, route, ending);
    return answerTo(ending.outcome, ending.last === true || closing());
  }

  // One handler for all methods: with two on a path Hono would chain them for each call.
  app.all(syncRoute, (call) => {
    const begun = telemetry.begun();
    const done = (ending: Ending) => finish(call.env, begun, syncRoute, ending);
    const failed = () => done({ outcome: "error", reason: "unexpected" });
    try {
      const ending: Ending | Promise<Ending> = call.req.method === "POST" ? sync(call, parts) : { outcome: "method" };
      // What needs no waiting is answered at once, without a promise.
      return ending instanceof Promise ? ending.then(done, failed) : done(ending);
    } catch {
      return failed();
    }
  });
  app.notFound((call) => finish(call.env, telemetry.begun(), "other", { outcome: "not_found" }));
  app.onError((_, call) => finish(call.env, telemetry.begun(), "other", { outcome: "error", reason: "unexpected" }));
  return app;
}

function sync(call: Call, { syncs, secrets, namespaces, telemetry, closing }: SyncAppParts): Ending | Promise<Ending> {
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
function syncWithBody(
  incoming: IncomingMessage,
  site: SiteName,
  dryRun: boolean,
  start: () => Promise<SyncResult>,
): Promise<Ending> {
  const result = start();
  const body = drainBody(incoming);
  if (!body) return result.then((sync) => endingOf(sync, site, dryRun, "complete"));
  return Promise.all([result, body]).then(([sync, end]) => endingOf(sync, site, dryRun, end));
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

function afterBody(incoming: IncomingMessage, ending: Ending): Ending | Promise<Ending> {
  return (
    drainBody(incoming)?.then((end) => {
      if (end === "too_large") return { ...ending, outcome: "too_large", last: true };
      return end === "complete" ? ending : { ...ending, last: true };
    }) ?? ending
  );
}

function endingOf(result: SyncResult, site: SiteName, dryRun: boolean, body: BodyEnd): Ending {
  const outcome: Outcome = body === "too_large" ? "too_large" : callOutcome(result, dryRun);
  return { outcome, site, apiStatus: result.apiStatus, reason: result.reason, last: body !== "complete" };
}
