import type { IncomingMessage } from "node:http";
import type { Attempt } from "../http-attempt.ts";
import { registryToken } from "./registry-token.ts";
import { basic, type Upstream } from "./upstream.ts";

/** Path of the token endpoint. */
export const tokenPath = "/service/token";

/** Headers between two neighbours, which nobody passes on. (RFC 9110, 7.6.1) */
const neighbourly = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
  // Said anew of the body as it was read.
  "content-length",
]);

/** The hub's core as far as docker's clients ask it for tokens. */
export class Core {
  readonly #upstream: Upstream;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** Asks as an account. */
  token(user: string, password: string, query: string, deadline: number): Promise<Attempt> {
    const headers = { authorization: basic(user, password), "user-agent": "hearth-hub-sign-in" };
    return this.#upstream.call({ path: `${tokenPath}${query}`, headers, deadline });
  }

  /** Passes a call on as it came. */
  pass(incoming: IncomingMessage, body: Buffer, deadline: number): Promise<Attempt> {
    const method = incoming.method ?? "GET";
    const said = incoming.headers["content-length"] ?? incoming.headers["transfer-encoding"];
    const length = said === undefined ? [] : ["content-length", String(body.length)];
    const headers = [...withoutNeighbourly(incoming.rawHeaders), ...length];
    return this.#upstream.call({ method, path: incoming.url ?? tokenPath, headers, body, deadline });
  }
}

/** Core's answer as it came. */
export function passedOn({ status, rawHeaders, body }: Extract<Attempt, { status: number }>): Response {
  const headers = new Headers();
  const pairs = withoutNeighbourly(rawHeaders);
  for (let index = 0; index < pairs.length; index += 2) headers.append(pairs[index] ?? "", pairs[index + 1] ?? "");
  const bare = status === 204 || status === 304;
  if (!bare) headers.set("content-length", String(body.length));
  return new Response(bare ? null : new Uint8Array(body), { status, headers });
}

/** Whether core gave a token to somebody: to nobody it gives one of what is public. */
export function signedIn(answer: Attempt): boolean {
  return "status" in answer && answer.status === 200 && Boolean(registryToken(answer.body)?.subject);
}

/** Whether core took the caller for nobody. */
export function tookForNobody(answer: Attempt): boolean {
  if (!("status" in answer)) return false;
  return answer.status === 401 || (answer.status === 200 && registryToken(answer.body)?.subject === "");
}

function withoutNeighbourly(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? "";
    if (!neighbourly.has(name.toLowerCase())) kept.push(name, raw[index + 1] ?? "");
  }
  return kept;
}
