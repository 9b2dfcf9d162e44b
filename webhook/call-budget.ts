import type { Clock } from "./clock.ts";

/** How much another server may be asked. */
export interface CallLimits {
  /** Calls a second in the long run. */
  readonly perSecond: number;
  /** Calls that may be made at once after a quiet time. */
  readonly burst: number;
  /** Calls under way at the same time. */
  readonly inFlight: number;
  /** Calls that may wait for their turn. */
  readonly waiting: number;
}

/** What a call is for is `known` once such a call has succeeded. */
export type Standing = "known" | "new";

/** Gives the place back. */
export type Release = () => void;

interface Waiter {
  readonly grant: (release: Release | undefined) => void;
  readonly cancelDeadline: () => void;
}

/** A token bucket that is filled when looked at. */
export class Bucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #filledAt: number;

  constructor(perSecond: number, burst: number, elapsed: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#filledAt = elapsed;
  }

  /** Adds what has come since. */
  fill(elapsed: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((elapsed - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = elapsed;
  }

  /** Milliseconds until a token is there, as of the last `fill`. */
  get wait(): number {
    // A hair less than one counts, or rounding could ask for a wait of nothing for ever.
    return this.#tokens >= 1 - 1e-6 ? 0 : ((1 - this.#tokens) / this.#perSecond) * 1000;
  }

  /** Whether nothing is missing, as of the last `fill`. */
  get full(): boolean {
    return this.#tokens >= this.#burst;
  }

  take(): void {
    this.#tokens -= 1;
  }

  giveBack(): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + 1);
  }
}

/** The part of each limit that what was never seen before may use, so that somebody who tries names or tokens can't starve real ones. */
const newShare = 1 / 2;

/** Turns at calling another server. Known goes first; each kind in order of arrival. */
export class CallBudget {
  readonly #limits: CallLimits;
  readonly #clock: Clock;
  readonly #all: Bucket;
  readonly #new: Bucket;
  readonly #waiting: Record<Standing, Set<Waiter>> = { known: new Set(), new: new Set() };
  readonly #inFlight: Record<Standing, number> = { known: 0, new: 0 };
  #cancelTimer: (() => void) | undefined;

  constructor(limits: CallLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    const elapsed = clock.elapsed();
    this.#all = new Bucket(limits.perSecond, limits.burst, elapsed);
    this.#new = new Bucket(limits.perSecond * newShare, Math.max(1, limits.burst * newShare), elapsed);
  }

  /** Waits for a turn until `latest` (elapsed milliseconds); undefined when there is none by then or too many wait already. */
  acquire(standing: Standing, latest: number): Promise<Release | undefined> {
    const places = standing === "new" ? this.#limits.waiting * newShare : this.#limits.waiting;
    const waiting = standing === "new" ? this.#waiting.new.size : this.#waiting.new.size + this.#waiting.known.size;
    const time = latest - this.#clock.elapsed();
    if (waiting >= places || time <= 0) return Promise.resolve(undefined);
    this.#fill();
    if (this.#waiting.known.size === 0 && this.#waiting[standing].size === 0 && this.#waitOf(standing) === 0) {
      return Promise.resolve(this.#take(standing));
    }
    return new Promise((grant) => {
      const waiter: Waiter = { grant, cancelDeadline: this.#clock.after(time, () => this.#giveUp(standing, waiter)) };
      this.#waiting[standing].add(waiter);
      this.#serve();
    });
  }

  #giveUp(standing: Standing, waiter: Waiter): void {
    this.#waiting[standing].delete(waiter);
    waiter.grant(undefined);
  }

  #serve(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#fill();
    let soonest = Number.POSITIVE_INFINITY;
    for (const standing of ["known", "new"] as const) {
      for (const waiter of this.#waiting[standing]) {
        const wait = this.#waitOf(standing);
        if (wait > 0) {
          soonest = Math.min(soonest, wait);
          break;
        }
        this.#waiting[standing].delete(waiter);
        waiter.cancelDeadline();
        waiter.grant(this.#take(standing));
      }
    }
    if (Number.isFinite(soonest)) {
      this.#cancelTimer = this.#clock.after(Math.max(1, soonest), () => this.#serve());
    }
  }

  /** Milliseconds until a call of this kind may be made: 0 now, infinite until a place is given back. */
  #waitOf(standing: Standing): number {
    const { inFlight } = this.#limits;
    if (this.#inFlight.known + this.#inFlight.new >= inFlight) return Number.POSITIVE_INFINITY;
    if (standing === "known") return this.#all.wait;
    if (this.#inFlight.new >= inFlight * newShare) return Number.POSITIVE_INFINITY;
    return Math.max(this.#all.wait, this.#new.wait);
  }

  #fill(): void {
    const elapsed = this.#clock.elapsed();
    this.#all.fill(elapsed);
    this.#new.fill(elapsed);
  }

  #take(standing: Standing): Release {
    this.#all.take();
    if (standing === "new") this.#new.take();
    this.#inFlight[standing] += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#inFlight[standing] -= 1;
      this.#serve();
    };
  }
}
