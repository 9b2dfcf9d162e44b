import type { IncomingMessage } from "node:http";
import { CallTelemetry } from "../call-telemetry.ts";
import type { Clock } from "../clock.ts";
import type { Log, LogLevel } from "../log.ts";
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
export class SignInTelemetry extends CallTelemetry {
  readonly #log: Log;
  readonly #requests = this.metrics.counter("http_requests_total", "Calls answered.", ["method", "status"]);
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

  constructor(log: Log, clock: Clock) {
    super(clock);
    this.#log = log;
  }

  finished(
    { method: sent = "" }: IncomingMessage,
    begun: number,
    { outcome, status, reason, remembered }: SignInEnding,
  ): void {
    const ms = this.ended(begun);
    const method = methods.has(sent) ? sent : "other";
    this.#requests.add(method, String(status));
    this.#signIns.add(outcome, reason ?? "");
    this.#log.request(levels[outcome] ?? "info", () => ({
      method,
      status,
      outcome,
      reason,
      remembered: remembered ? "yes" : undefined,
      ms,
    }));
  }

  upstream(to: "forge" | "core", code: string, seconds: number): void {
    this.#upstream.add(to, code);
    this.#upstreamDurations[to].observe(seconds);
  }
}
