import { Agent, type OutgoingHttpHeaders } from "node:http";
import { Agent as SecureAgent } from "node:https";
import type { Clock } from "../clock.ts";
import { type Attempt, attempt } from "../http-attempt.ts";

/** A request to another server. */
export interface UpstreamRequest {
  /** @default GET */
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  /** By name, or in the flat form of `rawHeaders`. */
  readonly headers?: OutgoingHttpHeaders | readonly string[];
  readonly body?: Buffer | string;
  /** Elapsed milliseconds of the clock by which there must be an answer. */
  readonly deadline: number;
}

/** Called once for each request sent: the status of its answer, or the fault's name. */
export type ObserveUpstream = (code: string, seconds: number) => void;

const connectWithin = 2_000;
/** Below the time after which servers close an idle connection. */
const idleSocket = 30_000;
const mostSockets = 32;

/** Another server: the forge, or the hub's core. */
export class Upstream {
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #observe: ObserveUpstream;
  readonly #agent: Agent;

  constructor(url: URL, clock: Clock, observe: ObserveUpstream) {
    const options = { keepAlive: true, maxSockets: mostSockets, maxFreeSockets: mostSockets, timeout: idleSocket };
    this.#url = url;
    this.#clock = clock;
    this.#observe = observe;
    this.#agent = url.protocol === "https:" ? new SecureAgent(options) : new Agent(options);
  }

  /** Sends the request; once more where a kept connection was dead, and the request asks only. Never rejects. */
  async call(request: UpstreamRequest): Promise<Attempt> {
    const first = await this.#send(request);
    const dead = "fault" in first && first.fault === "reset" && first.reusedSocket;
    const asksOnly = (request.method ?? "GET") === "GET";
    return dead && asksOnly && this.#clock.elapsed() < request.deadline ? this.#send(request) : first;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send({ method = "GET", path, headers = {}, body = "", deadline }: UpstreamRequest): Promise<Attempt> {
    const begun = this.#clock.elapsed();
    const total = Math.max(1, deadline - begun);
    const { protocol, hostname: host, port } = this.#url;
    const answer = await attempt(
      { agent: this.#agent, protocol, host, port, method, path, headers: headers as OutgoingHttpHeaders },
      body,
      { connect: connectWithin, headers: total, total },
    );
    this.#observe("status" in answer ? String(answer.status) : answer.fault, (this.#clock.elapsed() - begun) / 1000);
    return answer;
  }
}

/** The JSON of an answer; undefined where it is none. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** An `Authorization` header of a name and a password. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
