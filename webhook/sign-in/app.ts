import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { declaresTooLarge, drainBody } from "../body.ts";
import type { Standing } from "../call-budget.ts";
import type { Clock } from "../clock.ts";
import type { Attempt, AttemptEnd, Attempts } from "./attempts.ts";
import { type Core, passedOn, signedIn, tokenPath, tookForNobody } from "./core.ts";
import { needed, type SignIn, type SignInCall } from "./sign-in.ts";
import type { Sources } from "./source.ts";
import type { SignInEnding, SignInTelemetry } from "./telemetry.ts";
import { sentence, type Verdict } from "./verdict.ts";

export interface SignInAppParts {
  readonly signIn: SignIn;
  readonly core: Core;
  readonly attempts: Attempts;
  readonly sources: Sources;
  readonly telemetry: SignInTelemetry;
  readonly clock: Clock;
  /** Name of the hub's administrator, who signs in with core. */
  readonly administrator: string;
  /** The hub's public address. */
  readonly hub: string;
  /** True when the server takes no new calls. */
  readonly closing: () => boolean;
}

/** An answer, and what is counted of it. */
type Answered = readonly [response: Response, ending: SignInEnding];

const inFlightLimit = 512;
/** Calls wait so long at most for a turn of their source. */
const turnWithin = 2_000;
/** Clients send a form of a few hundred bytes, which core refuses. */
const bodyLimit = 64 * 1024;
/** Core holds a wrong password up for 1.5 s, and asks the forge where a session is to be renewed. */
const coreWithin = 25_000;
const robotPrefix = "robot$";
const registry = "harbor-registry";

/** What every access token of a forge starts with that nobody changed. */
const mark = "glpat-";
/** What else may be one: a forge can be set to another mark, and old tokens have none. */
const unmarked = /^[\w.=+-]{20,255}$/;

/** The token endpoint of the hub, for docker's clients. */
export function createSignInApp(parts: SignInAppParts): Hono<{ Bindings: HttpBindings }> {
  const { telemetry, closing } = parts;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const answered = async (incoming: IncomingMessage, answer: () => Promise<Answered>): Promise<Response> => {
    const begun = telemetry.begun();
    const [response, ending] = await answer().catch(
      (): Answered => own({ outcome: "error", reason: "unexpected" }, 500, "The sign-in failed."),
    );
    if (closing()) response.headers.set("connection", "close");
    telemetry.finished(incoming, begun, ending);
    return response;
  };
  app.all(tokenPath, ({ env: { incoming } }) => answered(incoming, () => answerTo(incoming, parts)));
  app.notFound(({ env: { incoming } }) =>
    answered(incoming, async () => own({ outcome: "not_found" }, 404, "There is nothing here.")),
  );
  return app;
}

async function answerTo(incoming: IncomingMessage, parts: SignInAppParts): Promise<Answered> {
  if (parts.closing() || parts.telemetry.inFlight > inFlightLimit)
    return busy(parts.closing() ? "closing" : "in_flight");
  if (declaresTooLarge(incoming, bodyLimit)) return tooLarge();
  const received: Buffer[] = [];
  const came = await drainBody(incoming, (part) => received.push(part), bodyLimit);
  if (came === "too_large") return tooLarge();
  if (came === "late" || came === "broken")
    return own({ outcome: "error", reason: came }, 400, "The body did not come.");

  const body = Buffer.concat(received);
  const { authorization } = incoming.headers;
  if (authorization === undefined) return passed(await pass(incoming, body, parts), parts.hub);
  const since = parts.clock.elapsed();
  const attempt = await parts.attempts.begin(parts.sources.of(incoming), authorization, since + turnWithin);
  if (!attempt) return tooOften();
  let end: AttemptEnd = "open";
  try {
    const [answer, how] = await judged(incoming, body, attempt, since, parts);
    end = how;
    return answer;
  } finally {
    attempt.end(end);
  }
}

/** The answer to a call with credentials, and what became of those. */
async function judged(
  incoming: IncomingMessage,
  body: Buffer,
  { standing }: Attempt,
  since: number,
  parts: SignInAppParts,
): Promise<readonly [Answered, AttemptEnd]> {
  const call = signInCall(incoming, parts.administrator, standing);
  if (call?.token.startsWith(mark)) {
    const verdict = await parts.signIn.decide(call, since);
    return [verdictAnswer(verdict, call, parts.hub), endOf(verdict)];
  }
  const answer = await pass(incoming, body, parts);
  if (call && tookForNobody(answer)) {
    const verdict = await parts.signIn.decide(call);
    // What the forge does not know was for core.
    if (verdict.outcome !== "denied" || verdict.reason !== "unknown")
      return [verdictAnswer(verdict, call, parts.hub), endOf(verdict)];
  }
  return [passed(answer, parts.hub), tookForNobody(answer) ? "failed" : signedIn(answer) ? "proven" : "open"];
}

function pass(incoming: IncomingMessage, body: Buffer, { core, clock }: SignInAppParts) {
  return core.pass(incoming, body, clock.elapsed() + coreWithin);
}

function passed(answer: Awaited<ReturnType<typeof pass>>, hub: string): Answered {
  if (!("status" in answer)) return verdictAnswer({ outcome: "unavailable", reason: "core" }, undefined, hub);
  return [passedOn(answer), { outcome: "passed", status: answer.status }];
}

/** What a verdict says of the credentials. A refusal that is remembered cost nothing. */
function endOf(verdict: Verdict & { readonly remembered?: boolean }): AttemptEnd {
  if (verdict.outcome === "issued") return "proven";
  if (verdict.outcome !== "denied" || verdict.remembered) return "open";
  return verdict.reason === "not_signed_on" || verdict.reason === "session_ended" ? "proven" : "failed";
}

/** A call that may come with a token of the forge; undefined for all others, which are core's. */
function signInCall(
  { method, url = "", headers }: IncomingMessage,
  administrator: string,
  standing: Standing,
): SignInCall | undefined {
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  if (method !== "GET" || new URLSearchParams(query).get("service") !== registry) return undefined;
  const [, encoded] = /^basic +([A-Za-z0-9+/_=-]+) *$/i.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [, user = "", token = ""] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (user === "" || user === administrator || user.startsWith(robotPrefix) || !unmarked.test(token)) return undefined;
  return { user, token, query, standing };
}

function verdictAnswer(
  verdict: Verdict & { readonly remembered?: boolean },
  call: SignInCall | undefined,
  hub: string,
): Answered {
  const { remembered } = verdict;
  switch (verdict.outcome) {
    case "issued": {
      const headers = { ...plain, "content-length": String(verdict.body.length) };
      return [
        new Response(new Uint8Array(verdict.body), { status: 200, headers }),
        { outcome: "issued", status: 200, remembered },
      ];
    }
    case "denied": {
      const { reason } = verdict;
      const challenge = { "www-authenticate": `Basic realm="${new URL(hub).host}"` };
      return own(
        { outcome: "denied", reason, remembered },
        401,
        sentence(reason, hub, needed(call?.query ?? "")),
        challenge,
      );
    }
    case "unavailable":
      return own({ outcome: "unavailable", reason: verdict.reason }, 503, waiting[verdict.reason], retryAfter(5));
    case "shed":
      return busy("budget");
  }
}

const waiting = {
  forge: "The forge does not answer. Try again in a moment.",
  core: "The hub does not answer. Try again in a moment.",
  administrator: "The hub refuses its sign-in adapter. Try again in a moment.",
  reading_users: "The hub's users are still being read. Try again in a moment.",
} as const;

function busy(reason: string): Answered {
  return own({ outcome: "shed", reason }, 503, "Too many sign in at once. Try again in a moment.", retryAfter(1));
}

function tooOften(): Answered {
  const message = "Too many sign-ins from your address fail. Try again in a moment.";
  return own({ outcome: "shed", reason: "source" }, 429, message, retryAfter(1));
}

function tooLarge(): Answered {
  return own({ outcome: "too_large" }, 413, "The body is too large.", { connection: "close" });
}

function retryAfter(seconds: number): Record<string, string> {
  return { "retry-after": String(seconds) };
}

const plain = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" } as const;

const codes: Readonly<Record<number, string>> = {
  401: "UNAUTHORIZED",
  404: "NOT_FOUND",
  429: "TOOMANYREQUESTS",
  503: "UNAVAILABLE",
};

/** An answer of ours, in the form in which docker's clients look for a message. (distribution/distribution docs/spec/api, Errors) */
function own(
  ending: Omit<SignInEnding, "status">,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answered {
  const body = JSON.stringify({ errors: [{ code: codes[status] ?? "UNKNOWN", message }] });
  const length = { "content-length": String(Buffer.byteLength(body)) };
  return [new Response(body, { status, headers: { ...plain, ...length, ...headers } }), { ...ending, status }];
}
