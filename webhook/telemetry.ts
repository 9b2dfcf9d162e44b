import type { IncomingMessage } from "node:http";
import { CallTelemetry } from "./call-telemetry.ts";
import type { Clock } from "./clock.ts";
import { deliveryId, eventName } from "./delivery.ts";
import { type Log, type LogLevel, loggedPath } from "./log.ts";
import { type Outcome, statusOf } from "./outcomes.ts";
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
export class Telemetry extends CallTelemetry {
  readonly #log: Log;
  readonly #requests = this.metrics.counter("http_requests_total", "Calls answered.", ["method", "route", "status"]);
  readonly #syncs = this.metrics.counter("staticsite_sync_total", "Calls of the sync route.", ["outcome"], {
    known: Object.keys(statusOf).map((outcome) => [outcome]),
  });
  readonly #apiRequests = this.metrics.counter("kube_api_requests_total", "Requests to the Kubernetes API.", ["code"]);
  readonly #apiDurations = this.metrics.histogram(
    "kube_api_request_duration_seconds",
    "Time of requests to the Kubernetes API.",
  );

  constructor(log: Log, clock: Clock) {
    super(clock);
    this.#log = log;
  }

  finished(incoming: IncomingMessage, begun: number, route: MeasuredRoute, report: Report): void {
    const ms = this.ended(begun);
    const { outcome, site } = report;
    const method = methods.has(incoming.method ?? "") ? (incoming.method ?? "") : "other";
    this.#requests.add(method, route, String(statusOf[outcome]));
    if (route !== "other") this.#syncs.add(outcome);
    this.#log.request(levels[outcome] ?? "info", () => ({
      method,
      route,
      namespace: site?.namespace,
      site: site?.name,
      path: site ? undefined : loggedPath(incoming.url ?? ""),
      status: statusOf[outcome],
      outcome,
      ms,
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
