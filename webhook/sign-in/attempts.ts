import { createHmac, randomBytes } from "node:crypto";
import { Bucket, type Standing } from "../call-budget.ts";
import type { Clock } from "../clock.ts";
import { RecentValues } from "../recent-values.ts";

/** What credentials that open nothing may cost. */
export interface AttemptLimits {
  /** Attempts of one source that may fail at once after a quiet time. */
  readonly burst: number;
  /** Attempts of one source that may fail each second in the long run. */
  readonly perSecond: number;
  /** Calls of one source that may wait for their turn. */
  readonly waiting: number;
}

/** What became of an attempt; `open`: nobody could tell. */
export type AttemptEnd = "proven" | "failed" | "open";

/** One try of some credentials. */
export interface Attempt {
  readonly standing: Standing;
  readonly end: (how: AttemptEnd) => void;
}

interface Waiter {
  readonly grant: (may: boolean) => void;
  readonly cancelDeadline: () => void;
}

interface Source {
  readonly failures: Bucket;
  readonly waiting: Set<Waiter>;
  underWay: number;
  cancelTimer?: () => void;
}

/** Credentials go by this long after they opened something. */
const rememberKnown = 3_600_000;
/** Sources at a time; so many more have one budget together. */
const mostSources = 10_000;

/**
 * Lets each source fail only so often: who tries made-up tokens waits for turns of its own and takes none from anybody else. An attempt
 * counts as failed until its end says otherwise, so that many at once gain nothing. Credentials that opened something are `known`, and
 * wait for nothing.
 */
export class Attempts {
  readonly #limits: AttemptLimits;
  readonly #clock: Clock;
  readonly #known = new RecentValues<true>(10_000);
  readonly #sources = new Map<string, Source>();
  readonly #key = randomBytes(32);

  constructor(limits: AttemptLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Sources of which something is under way or remembered. */
  get sources(): number {
    return this.#sources.size;
  }

  /** Waits for a turn of the source until `latest` (elapsed milliseconds); undefined when there is none by then or too many wait. */
  async begin(address: string, credentials: string, latest: number): Promise<Attempt | undefined> {
    // Tells nothing of what it is made of.
    const hash = createHmac("sha256", this.#key).update(credentials).digest("base64");
    const prove = () => this.#known.set(hash, true, this.#clock.elapsed(), rememberKnown);
    if (this.#known.get(hash, this.#clock.elapsed()))
      return { standing: "known", end: (how) => (how === "proven" ? prove() : undefined) };
    const [key, source] = this.#source(address);
    if (!(await this.#turn(source, latest))) {
      this.#forget(key, source);
      return undefined;
    }
    return {
      standing: "new",
      end: (how) => {
        source.underWay -= 1;
        if (how !== "failed") source.failures.giveBack();
        if (how === "proven") prove();
        this.#serve(source);
        this.#forget(key, source);
      },
    };
  }

  #source(address: string): [string, Source] {
    if (this.#sources.size >= mostSources) this.#sweep();
    const key = this.#sources.has(address) || this.#sources.size < mostSources ? address : "";
    const { burst, perSecond } = this.#limits;
    const fresh = (): Source => ({
      failures: new Bucket(perSecond, burst, this.#clock.elapsed()),
      waiting: new Set(),
      underWay: 0,
    });
    const source = this.#sources.get(key) ?? fresh();
    this.#sources.set(key, source);
    return [key, source];
  }

  #turn(source: Source, latest: number): Promise<boolean> {
    source.failures.fill(this.#clock.elapsed());
    if (source.waiting.size === 0 && source.failures.wait === 0) {
      take(source);
      return Promise.resolve(true);
    }
    const time = latest - this.#clock.elapsed();
    if (time <= 0 || source.waiting.size >= this.#limits.waiting) return Promise.resolve(false);
    return new Promise((grant) => {
      const giveUp = () => {
        source.waiting.delete(waiter);
        grant(false);
      };
      const waiter: Waiter = { grant, cancelDeadline: this.#clock.after(time, giveUp) };
      source.waiting.add(waiter);
      this.#serve(source);
    });
  }

  #serve(source: Source): void {
    source.cancelTimer?.();
    source.cancelTimer = undefined;
    source.failures.fill(this.#clock.elapsed());
    for (const waiter of source.waiting) {
      const { wait } = source.failures;
      if (wait > 0) {
        source.cancelTimer = this.#clock.after(Math.max(1, wait), () => this.#serve(source));
        return;
      }
      source.waiting.delete(waiter);
      waiter.cancelDeadline();
      take(source);
      waiter.grant(true);
    }
  }

  #forget(key: string, source: Source): void {
    source.failures.fill(this.#clock.elapsed());
    const idle = source.underWay === 0 && source.waiting.size === 0 && source.failures.full;
    if (idle) this.#sources.delete(key);
  }

  #sweep(): void {
    for (const [key, source] of this.#sources) this.#forget(key, source);
  }
}

function take(source: Source): void {
  source.failures.take();
  source.underWay += 1;
}
