import type { Clock } from "./clock.ts";
import { Metrics } from "./metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";

/** What each service tells of its calls and of its process: how many are being answered, and how long each took. */
export class CallTelemetry {
  readonly metrics = new Metrics();
  readonly #clock: Clock;
  readonly #durations = this.metrics.histogram("http_request_duration_seconds", "Time until a call was answered.");
  #inFlight = 0;
  #quiet: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.metrics.gauge("http_requests_in_flight", "Calls being answered.", () => this.#inFlight);
    addProcessMetrics(this.metrics);
  }

  /** Calls being answered. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Notes that a call came; returns when, for `ended`. */
  begun(): number {
    this.#inFlight += 1;
    return this.#clock.elapsed();
  }

  /** Notes that a call was answered. @returns the milliseconds it took, to a tenth */
  protected ended(begun: number): number {
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const done of this.#quiet.splice(0)) done();
    const milliseconds = this.#clock.elapsed() - begun;
    this.#durations.observe(milliseconds / 1000);
    return Math.round(milliseconds * 10) / 10;
  }

  /** Resolves when no call is being answered. */
  quiet(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((done) => this.#quiet.push(done));
  }
}
