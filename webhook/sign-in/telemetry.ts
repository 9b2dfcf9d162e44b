import type { IncomingMessage } from "node:http";
import type { Clock } from "../clock.ts";
import type { Log, LogLevel } from "../log.ts";
import { Metrics } from "../metrics.ts";
import { addProcessMetrics } from "../process-metrics.ts";
import { denials, missing } from "./verdict.ts";

/** How calls end, each way with its reasons. `passed`: core's answer to what is not ours. */
const endings = {
  passed: [""],
  issued: [""],
  denied: denials,
  unavailable: missing,
  shed: ["budget", "source", "in_flight", "closing"],
  too_large: [""],
  not_found: [""],
  error: ["unexpected", "late", "broken"],
} as const;

/** How a call ended. */
export interface SignInEnding {
  readonly outcome: keyof typeof endings;
  readonly status: number;
  /** One word of ours. */
  readonly reason?: string;
  /** Answered from what is remembered. */
  readonly remembered?: boolean;
}

const levels: Partial<Record<SignInEnding["outcome"], LogLevel>> = {
  error: "error",
  unavailable: "error",
  shed: "warn",
};
const methods = new Set(["GET", "HEAD", "POST"]);

/** Counts and logs calls; neither names, tokens nor queries get into either. */
export class SignInTelemetry {
  readonly metrics = new Metrics();
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #requests = this.metrics.counter("http_requests_total", "Calls answered.", ["method", "status"]);
  readonly #durations = this.metrics.histogram("http_request_duration_seconds", "Time until a call was answered.");
  readonly #signIns = this.metrics.counter(
    "hub_sign_in_total",
    "Calls by what became of them.",
    ["outcome", "reason"],
    {
      known: Object.entries(endings).flatMap(([outcome, reasons]) => reasons.map((reason) => [outcome, reason])),
    },
  );
  readonly #upstream = this.metrics.counter("upstream_requests_total", "Requests to forge and core.", ["to", "code"]);
  readonly #upstreamDurations = {
    forge: this.metrics.histogram("forge_request_duration_seconds", "Time of requests to the forge."),
    core: this.metrics.histogram("core_request_duration_seconds", "Time of requests to the hub's core."),
  };
  #inFlight = 0;
  #quiet: (() => void)[] = [];

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
    this.metrics.gauge("http_requests_in_flight", "Calls being answered.", () => this.#inFlight);
    addProcessMetrics(this.metrics);
  }

  /** Calls being answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Notes that a call came; returns when, for `finished`. */
  begun(): number {
    this.#inFlight += 1;
    return this.#clock.elapsed();
  }

  /** Resolves when no call is being answered. */
  quiet(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((done) => this.#quiet.push(done));
  }

  finished(
    { method: sent = "" }: IncomingMessage,
    begun: number,
    { outcome, status, reason, remembered }: SignInEnding,
  ): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const done of this.#quiet.splice(0)) done();
    const milliseconds = this.#clock.elapsed() - begun;
    const method = methods.has(sent) ? sent : "other";
    this.#requests.add(method, String(status));
    this.#durations.observe(milliseconds / 1000);
    this.#signIns.add(outcome, reason ?? "");
    this.#log.request(levels[outcome] ?? "info", () => ({
      method,
      status,
      outcome,
      reason,
      remembered: remembered ? "yes" : undefined,
      ms: Math.round(milliseconds * 10) / 10,
    }));
  }

  upstream(to: "forge" | "core", code: string, seconds: number): void {
    this.#upstream.add(to, code);
    this.#upstreamDurations[to].observe(seconds);
  }
}
