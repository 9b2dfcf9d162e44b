import type { Clock } from "./clock.ts";

/** How much the API server may be asked to write. */
export interface WriteLimits {
  /** Writes a second in the long run. */
  readonly perSecond: number;
  /** Writes that may come at once after a quiet time. */
  readonly burst: number;
  /** Writes under way at the same time. */
  readonly inFlight: number;
  /** Writes that may wait for their turn. */
  readonly waiting: number;
}

/** A site is `known` once a write to it has succeeded. */
export type SiteStanding = "known" | "new";

/** Gives the place back. */
export type Release = () => void;

interface Waiter {
  readonly grant: (release: Release | undefined) => void;
  readonly cancelDeadline: () => void;
}

/** A token bucket that is filled when looked at. */
class Bucket {
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

  fill(elapsed: number): void {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((elapsed - this.#filledAt) / 1000) * this.#perSecond);
    this.#filledAt = elapsed;
  }

  /** Milliseconds until a token is there, as of the last `fill`. */
  get wait(): number {
    // A hair less than one counts, or rounding could ask for a wait of nothing for ever.
    return this.#tokens >= 1 - 1e-6 ? 0 : ((1 - this.#tokens) / this.#perSecond) * 1000;
  }

  take(): void {
    this.#tokens -= 1;
  }
}

/** The part of each limit that sites never seen before may use, so that somebody who tries names can't starve real sites. */
const newSitesShare = 1 / 2;

/** Turns at writing to the API server. Known sites go first; each kind in order of arrival. */
export class WriteBudget {
  readonly #limits: WriteLimits;
  readonly #clock: Clock;
  readonly #all: Bucket;
  readonly #new: Bucket;
  readonly #waiting: Record<SiteStanding, Set<Waiter>> = { known: new Set(), new: new Set() };
  readonly #inFlight: Record<SiteStanding, number> = { known: 0, new: 0 };
  #cancelTimer: (() => void) | undefined;

  constructor(limits: WriteLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
    const elapsed = clock.elapsed();
    this.#all = new Bucket(limits.perSecond, limits.burst, elapsed);
    this.#new = new Bucket(limits.perSecond * newSitesShare, Math.max(1, limits.burst * newSitesShare), elapsed);
  }

  /** Waits for a turn until `latest` (elapsed milliseconds); undefined when there is none by then or too many wait already. */
  acquire(standing: SiteStanding, latest: number): Promise<Release | undefined> {
    const places = standing === "new" ? this.#limits.waiting * newSitesShare : this.#limits.waiting;
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

  #giveUp(standing: SiteStanding, waiter: Waiter): void {
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

  /** Milliseconds until this kind of site may write: 0 now, infinite until a place is given back. */
  #waitOf(standing: SiteStanding): number {
    const { inFlight } = this.#limits;
    if (this.#inFlight.known + this.#inFlight.new >= inFlight) return Number.POSITIVE_INFINITY;
    if (standing === "known") return this.#all.wait;
    if (this.#inFlight.new >= Math.max(1, inFlight * newSitesShare)) return Number.POSITIVE_INFINITY;
    return Math.max(this.#all.wait, this.#new.wait);
  }

  #fill(): void {
    const elapsed = this.#clock.elapsed();
    this.#all.fill(elapsed);
    this.#new.fill(elapsed);
  }

  #take(standing: SiteStanding): Release {
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
