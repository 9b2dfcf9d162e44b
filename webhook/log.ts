import type { Clock } from "./clock.ts";

export type LogLevel = "info" | "warn" | "error";
export type Fields = Readonly<Record<string, string | number | undefined>>;

/** Lines of requests a second in the long run, and at once: a flood must not fill disks. */
const linesPerSecond = 100;
const lineBurst = 400;

/** Writes JSON lines. Values are strings and numbers, so that a line is a line whatever a caller sends. */
export class Log {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #tokens = lineBurst;
  #filledAt: number;
  #leftOut = 0;

  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
    this.#filledAt = clock.elapsed();
  }

  /** Writes one line, always. */
  event(level: LogLevel, msg: string, fields: Fields = {}): void {
    this.#write(`${JSON.stringify({ ts: new Date(this.#clock.now()).toISOString(), level, msg, ...fields })}\n`);
  }

  /** Writes the line of a request while there are few; in a flood says how many were left out. `fields` is called only for what is written. */
  request(level: LogLevel, fields: () => Fields): void {
    const elapsed = this.#clock.elapsed();
    this.#tokens = Math.min(lineBurst, this.#tokens + ((elapsed - this.#filledAt) / 1000) * linesPerSecond);
    this.#filledAt = elapsed;
    if (this.#tokens < 1) {
      this.#leftOut += 1;
      return;
    }
    this.#tokens -= 1;
    if (this.#leftOut > 0) {
      const count = this.#leftOut;
      this.#leftOut = 0;
      this.event("warn", "requests left out of the log", { count });
    }
    this.event(level, "request", fields());
  }
}

/** A path as it may stand in a log: printable ASCII, the rest percent-escaped, without the query, at most 128 characters. */
export function loggedPath(url: string): string {
  const [path = ""] = url.slice(0, 512).split("?", 1);
  const escaped = path.replace(/[^\x21-\x7e]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return escaped.slice(0, 128);
}
