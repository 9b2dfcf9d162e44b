import type { IncomingMessage } from "node:http";
import type { Clock } from "./clock.ts";
import { deliveryId, eventName } from "./delivery.ts";
import { type Log, type LogLevel, loggedPath } from "./log.ts";
import { Metrics } from "./metrics.ts";
import { type Outcome, statusOf } from "./outcomes.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import type { SiteName } from "./site-name.ts";

/** The label of a call's path: a pattern, as anybody may send any path. */
export type MeasuredRoute = "/sync/:namespace/:site" | "other";

/** What is known of a call when it has been answered. */
export interface Report {
  readonly outcome: Outcome;
  /** Present only when its names are valid. */
  readonly site?: SiteName;
  readonly apiStatus?: number;
  readonly reason?: string;
}

/** Methods that get a label of their own; anybody may send any. */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

const levels: Partial<Record<Outcome, LogLevel>> = { error: "error", shed: "warn", denied: "warn" };

/** Counts and logs calls. */
export class Telemetry {
  readonly metrics = new Metrics();
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #requests = this.metrics.counter("http_requests_total", "Calls answered.", ["method", "route", "status"]);
  readonly #durations = this.metrics.histogram("http_request_duration_seconds", "Time until a call was answered.");
  readonly #syncs = this.metrics.counter("staticsite_sync_total", "Calls of the sync route.", ["outcome"], {
    known: Object.keys(statusOf).map((outcome) => [outcome]),
  });
  readonly #apiRequests = this.metrics.counter("kube_api_requests_total", "Requests to the Kubernetes API.", ["code"]);
  readonly #apiDurations = this.metrics.histogram(
    "kube_api_request_duration_seconds",
    "Time of requests to the Kubernetes API.",
  );
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

  finished(incoming: IncomingMessage, begun: number, route: MeasuredRoute, report: Report): void {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const done of this.#quiet.splice(0)) done();
    const milliseconds = this.#clock.elapsed() - begun;
    const { outcome, site } = report;
    const method = methods.has(incoming.method ?? "") ? (incoming.method ?? "") : "other";
    this.#requests.add(method, route, String(statusOf[outcome]));
    this.#durations.observe(milliseconds / 1000);
    if (route !== "other") this.#syncs.add(outcome);
    this.#log.request(levels[outcome] ?? "info", () => ({
      method,
      route,
      namespace: site?.namespace,
      site: site?.name,
      path: site ? undefined : loggedPath(incoming.url ?? ""),
      status: statusOf[outcome],
      outcome,
      ms: Math.round(milliseconds * 10) / 10,
      api_status: report.apiStatus,
      reason: report.reason,
      delivery: deliveryId(incoming.headers),
      event: eventName(incoming.headers),
    }));
  }

  apiRequest(code: string, seconds: number): void {
    this.#apiRequests.add(code);
    this.#apiDurations.observe(seconds);
  }
}
