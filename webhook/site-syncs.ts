import type { CallBudget } from "./call-budget.ts";
import type { Clock } from "./clock.ts";
import { RecentValues } from "./recent-values.ts";
import type { SiteName } from "./site-name.ts";

/** One write of a site's sync annotation. */
export interface SitePatch {
  readonly site: SiteName;
  /** The annotation's value, seconds since epoch. */
  readonly value: number;
  /** Only tried, not stored: a ping. */
  readonly dryRun: boolean;
  /** Elapsed milliseconds of the clock by which there must be an answer. */
  readonly deadline: number;
}

export interface PatchAnswer {
  /** `busy`: the API server asked to come later. */
  readonly outcome: "written" | "not_found" | "busy" | "failed";
  /** HTTP status of the API server's last answer, if there was one. */
  readonly status?: number;
  /** Why it failed, in one word, for logs. */
  readonly reason?: string;
}

export interface SyncResult {
  readonly outcome: "written" | "not_found" | "shed" | "failed";
  /** Shared a write that another call had asked for. */
  readonly merged: boolean;
  readonly apiStatus?: number;
  readonly reason?: string;
}

/** Calls that wait for the same write, which has not been sent yet. */
interface Batch {
  readonly result: Promise<SyncResult>;
  /** The result of all calls but the first; there once there is a second. */
  mergedResult?: Promise<SyncResult>;
}

/** What is remembered of a site while it matters. */
interface Track {
  batch: Batch | undefined;
  /** Last value sent: any value sent later is greater, so that each write is a change. */
  last: number;
  sentAt: number;
  sending: number;
}

/** Every call is answered within 4 s, below the shortest patience of a provider (Gitea, 5 s). */
const answerWithin = 3_800;
/** A write that can't start this long before the deadline is not begun. */
const shortestWrite = 500;
const rememberMissing = 2_000;
const rememberTrack = 1_000;

/**
 * Turns calls into writes of the sync annotation, so that for every call answered `written` the annotation changed after the call came.
 *
 * The annotation holds whole seconds, and writing the value that is there already changes nothing. So a site is written at most once
 * a second; calls that come after a write was sent wait for the next second and share one write.
 */
export class SiteSyncs {
  readonly #patch: (patch: SitePatch) => Promise<PatchAnswer>;
  readonly #budget: CallBudget;
  readonly #clock: Clock;
  /** In order of the last write. */
  readonly #tracks = new Map<string, Track>();
  /** Greatest value among forgotten tracks: matters when the wall clock was stepped back. */
  #forgottenLast = 0;
  #sweeping = false;
  readonly #missing: RecentValues<true>;
  readonly #known: RecentValues<true>;
  #open = 0;
  #idle: (() => void)[] = [];

  constructor(patch: (patch: SitePatch) => Promise<PatchAnswer>, budget: CallBudget, clock: Clock) {
    this.#patch = patch;
    this.#budget = budget;
    this.#clock = clock;
    this.#missing = new RecentValues(2_000);
    this.#known = new RecentValues(10_000);
  }

  /** Writes waiting or under way. */
  get pending(): number {
    return this.#open;
  }

  /** Sites (and pinged sites) that something is remembered of, besides that they were missing or known. */
  get tracked(): number {
    return this.#tracks.size;
  }

  /** Asks for a sync of `site`, or with `dryRun` for a try that stores nothing. Never rejects. */
  request(site: SiteName, dryRun: boolean): Promise<SyncResult> {
    const name = `${site.namespace}/${site.name}`;
    if (this.#missing.get(name, this.#clock.elapsed())) {
      return Promise.resolve({ outcome: "not_found", merged: true });
    }
    const key = dryRun ? `?${name}` : name;
    const track = this.#tracks.get(key) ?? this.#track(key);
    if (track.batch) return merged(track.batch);
    const result = this.#run(site, dryRun, name, key, track, this.#clock.elapsed() + answerWithin);
    track.batch = { result };
    return result;
  }

  /** Resolves when no write is waiting or under way. */
  settled(): Promise<void> {
    return this.#open === 0 ? Promise.resolve() : new Promise((done) => this.#idle.push(done));
  }

  #track(key: string): Track {
    const track: Track = { batch: undefined, last: this.#forgottenLast, sentAt: Number.NEGATIVE_INFINITY, sending: 0 };
    this.#tracks.set(key, track);
    return track;
  }

  async #run(
    site: SiteName,
    dryRun: boolean,
    name: string,
    key: string,
    track: Track,
    deadline: number,
  ): Promise<SyncResult> {
    this.#open += 1;
    try {
      for (let wait = this.#untilNextSecond(track); wait > 0; wait = this.#untilNextSecond(track)) {
        const pause = wait;
        await new Promise<void>((done) => this.#clock.after(pause, done));
      }
      const standing = this.#known.get(name, this.#clock.elapsed()) ? "known" : "new";
      const release = await this.#budget.acquire(standing, deadline - shortestWrite);
      // From here on the write counts as sent: a later call needs a change of its own.
      track.batch = undefined;
      if (!release) {
        if (track.sending === 0 && track.sentAt === Number.NEGATIVE_INFINITY) this.#tracks.delete(key);
        return { outcome: "shed", merged: false, reason: "budget" };
      }
      try {
        const answer = await this.#patch({ site, dryRun, deadline, value: this.#nextValue(key, track) });
        this.#learn(name, answer);
        return syncResult(answer);
      } catch {
        return { outcome: "failed", merged: false, reason: "unexpected" };
      } finally {
        track.sending -= 1;
        release();
      }
    } finally {
      this.#open -= 1;
      if (this.#open === 0) for (const done of this.#idle.splice(0)) done();
    }
  }

  /** Milliseconds until a second the site has not been written in, at most 1,000: a clock that was stepped back must not stop syncs. */
  #untilNextSecond(track: Track): number {
    const untilLater = (track.last + 1) * 1000 - this.#clock.now();
    const untilRested = track.sentAt + 1000 - this.#clock.elapsed();
    return Math.min(untilLater, untilRested);
  }

  #nextValue(key: string, track: Track): number {
    track.last = Math.max(Math.floor(this.#clock.now() / 1000), track.last + 1);
    track.sentAt = this.#clock.elapsed();
    track.sending += 1;
    this.#tracks.delete(key);
    this.#tracks.set(key, track);
    this.#sweepLater();
    return track.last;
  }

  #learn(name: string, answer: PatchAnswer): void {
    if (answer.outcome === "written") {
      this.#known.set(name, true, this.#clock.elapsed(), Number.POSITIVE_INFINITY);
      this.#missing.delete(name);
    } else if (answer.outcome === "not_found") {
      this.#missing.set(name, true, this.#clock.elapsed(), rememberMissing);
      this.#known.delete(name);
    }
  }

  #sweepLater(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#clock.after(500, () => {
      this.#sweeping = false;
      this.#sweep();
    });
  }

  #sweep(): void {
    const old = this.#clock.elapsed() - rememberTrack;
    for (const [key, track] of this.#tracks) {
      if (track.sentAt > old) break;
      if (track.batch || track.sending > 0) continue;
      this.#tracks.delete(key);
      this.#forgottenLast = Math.max(this.#forgottenLast, track.last);
    }
    if (this.#tracks.size > 0) this.#sweepLater();
  }
}

function merged(batch: Batch): Promise<SyncResult> {
  batch.mergedResult ??= batch.result.then((sync) => ({ ...sync, merged: true }));
  return batch.mergedResult;
}

function syncResult({ outcome, status, reason }: PatchAnswer): SyncResult {
  return { outcome: outcome === "busy" ? "shed" : outcome, merged: false, apiStatus: status, reason };
}
