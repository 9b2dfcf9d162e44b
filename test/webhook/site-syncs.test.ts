import { CallBudget, type CallLimits } from "@hearth-platform/site-webhook/call-budget";
import { type PatchAnswer, type SitePatch, SiteSyncs, type SyncResult } from "@hearth-platform/site-webhook/site-syncs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "./support/virtual-clock.ts";

/** An annotation store on the virtual clock: notes changes, and calls writes of what is there already no change. */
class Store {
  readonly values = new Map<string, number>();
  readonly changes: { readonly key: string; readonly at: number }[] = [];
  readonly writes: { readonly key: string; readonly value: number; readonly at: number; readonly wall: number }[] = [];
  readonly missing = new Set<string>();
  readonly #clock: VirtualClock;
  /** Milliseconds until the write reaches the store, until the answer is back, and what the answer is. */
  behaviour: () => { readonly there: number; readonly back: number; readonly answer: PatchAnswer["outcome"] } = () => ({
    there: 5,
    back: 5,
    answer: "written",
  });

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** Answers by the deadline, as the client does; the write may reach the store all the same. */
  async patch({ site, value, dryRun, deadline }: SitePatch): Promise<PatchAnswer> {
    const key = `${site.namespace}/${site.name}`;
    const { there, back, answer } = this.behaviour();
    if (!dryRun) this.writes.push({ key, value, at: this.#clock.elapsed(), wall: this.#clock.now() });
    const late = this.#wait(deadline - this.#clock.elapsed()).then((): PatchAnswer => ({ outcome: "failed" }));
    return Promise.race([late, this.#write(key, value, dryRun, there, back, answer)]);
  }

  async #write(
    key: string,
    value: number,
    dryRun: boolean,
    there: number,
    back: number,
    answer: PatchAnswer["outcome"],
  ): Promise<PatchAnswer> {
    await this.#wait(there);
    if (this.missing.has(key)) return { outcome: "not_found", status: 404 };
    if (answer === "written" && !dryRun && this.values.get(key) !== value) {
      this.values.set(key, value);
      this.changes.push({ key, at: this.#clock.elapsed() });
    }
    await this.#wait(back);
    return { outcome: answer };
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((done) => this.#clock.after(milliseconds, done));
  }
}

const generous: CallLimits = { perSecond: 10_000, burst: 10_000, inFlight: 1_000, waiting: 10_000 };
const shipped: CallLimits = { perSecond: 20, burst: 40, inFlight: 8, waiting: 256 };

function world(limits: CallLimits = generous) {
  const clock = new VirtualClock();
  const store = new Store(clock);
  const syncs = new SiteSyncs((patch) => store.patch(patch), new CallBudget(limits, clock), clock);
  return { clock, store, syncs };
}

const site = (name: string) => ({ namespace: "pages", name });

describe("SiteSyncs", () => {
  test("the first call is written at once; one in the same second waits for the next", async () => {
    const { clock, store, syncs } = world();
    void syncs.request(site("a"), false);
    await clock.advance(300);
    const second = syncs.request(site("a"), false);
    await clock.advance(2_000);
    expect((await second).outcome).toBe("written");
    expect(store.changes.map(({ at }) => at)).toEqual([5, 1_005]);
  });

  test("a clock that is stepped back an hour does not hold back or lose a sync", async () => {
    const { clock, store, syncs } = world();
    void syncs.request(site("a"), false);
    await clock.advance(100);
    clock.step(-3_600_000);
    const second = syncs.request(site("a"), false);
    await clock.advance(1_500);
    expect((await second).outcome).toBe("written");
    expect(store.changes).toHaveLength(2);
    expect(store.writes[1]?.value).toBeGreaterThan(store.writes[0]?.value ?? 0);
  });

  test("a clock that is stepped back after the site was forgotten does not repeat its value", async () => {
    const { clock, store, syncs } = world();
    void syncs.request(site("a"), false);
    await clock.advance(10_000);
    expect(syncs.tracked).toBe(0);
    clock.step(-10_000);
    void syncs.request(site("a"), false);
    await clock.advance(2_000);
    expect(store.changes).toHaveLength(2);
  });

  test("a flood of unknown names leaves turns to a known site", async () => {
    const { clock, store, syncs } = world(shipped);
    void syncs.request(site("real"), false);
    await clock.advance(2_000);
    store.behaviour = () => ({ there: 500, back: 0, answer: "written" });
    const results: SyncResult[] = [];
    for (let round = 0; round < 300; round += 1) {
      store.missing.add(`pages/scan-${round}`);
      void syncs.request(site(`scan-${round}`), false);
    }
    for (let round = 0; round < 10; round += 1) {
      void syncs.request(site("real"), false).then((result) => results.push(result));
      await clock.advance(1_500);
    }
    expect(results.map(({ outcome }) => outcome)).toEqual(new Array(10).fill("written"));
  });

  test("more calls than the API server may be asked for are shed, within four seconds", async () => {
    const { clock, syncs } = world(shipped);
    const outcomes: string[] = [];
    for (let number = 0; number < 500; number += 1) {
      void syncs.request(site(`s-${number}`), false).then(({ outcome }) => outcomes.push(outcome));
    }
    await clock.advance(4_000);
    expect(outcomes).toHaveLength(500);
    const written = outcomes.filter((outcome) => outcome === "written").length;
    expect(written).toBeGreaterThanOrEqual(shipped.burst / 2);
    expect(written).toBeLessThanOrEqual(shipped.burst + 4 * shipped.perSecond);
    expect(outcomes.filter((outcome) => outcome === "shed")).toHaveLength(500 - written);
  });

  test("a call that is shed before anything was written leaves nothing behind", async () => {
    const { syncs, store } = world({ ...generous, waiting: 0 });
    expect(await syncs.request(site("a"), false)).toMatchObject({ outcome: "shed" });
    expect([syncs.tracked, store.writes]).toEqual([0, []]);
  });

  test("a missing site is asked for once in two seconds", async () => {
    const { clock, store, syncs } = world();
    store.missing.add("pages/a");
    for (let round = 0; round < 40; round += 1) {
      void syncs.request(site("a"), false);
      await clock.advance(100);
    }
    expect(store.writes.length).toBeLessThanOrEqual(3);
  });

  test("a site that is made while its absence is remembered is there from its first write on", async () => {
    const { clock, store, syncs } = world();
    store.missing.add("pages/a");
    store.behaviour = () => ({ there: 100, back: 0, answer: "written" });
    const absent = syncs.request(site("a"), false);
    await clock.advance(50);
    const second = syncs.request(site("a"), false);
    await clock.advance(500);
    store.missing.delete("pages/a");
    await clock.advance(700);
    // The absence that was seen after 100 ms would be remembered until 2,100.
    const third = syncs.request(site("a"), false);
    await clock.advance(2_000);
    expect([(await absent).outcome, (await second).outcome, (await third).outcome]).toEqual([
      ...["not_found", "written", "written"],
    ]);
  });

  test("a site is known from its first write until it is gone, and has to be new again then", async () => {
    const clock = new VirtualClock();
    const store = new Store(clock);
    const standings: string[] = [];
    const acquire = async (standing: string) => {
      standings.push(standing);
      return () => undefined;
    };
    const syncs = new SiteSyncs((patch) => store.patch(patch), { acquire } as unknown as CallBudget, clock);
    const sync = async () => {
      void syncs.request(site("a"), false);
      await clock.advance(3_000);
    };
    await sync();
    await sync();
    store.missing.add("pages/a");
    await sync();
    store.missing.clear();
    await sync();
    await sync();
    expect(standings).toEqual(["new", "known", "known", "new", "known"]);
  });

  test("calls that wait long for a turn still share one write with those that come then", async () => {
    const { clock, store, syncs } = world({ ...generous, inFlight: 1 });
    void syncs.request(site("a"), false);
    await clock.advance(20);
    store.behaviour = () => ({ there: 2_500, back: 0, answer: "written" });
    void syncs.request(site("busy"), false);
    await clock.advance(1_080);
    const waits = syncs.request(site("a"), false);
    await clock.advance(600);
    store.behaviour = () => ({ there: 5, back: 5, answer: "written" });
    const joins = syncs.request(site("a"), false);
    await clock.advance(2_000);
    expect(await waits).toMatchObject({ outcome: "written", merged: false });
    expect(await joins).toMatchObject({ outcome: "written", merged: true });
    expect(store.changes.filter(({ key }) => key === "pages/a")).toHaveLength(2);
    expect(store.writes.filter(({ key }) => key === "pages/a")).toHaveLength(2);
  });

  test("pings of one site are tried at most once a second and store nothing", async () => {
    const { clock, store, syncs } = world();
    let tries = 0;
    store.behaviour = () => {
      tries += 1;
      return { there: 1, back: 1, answer: "written" };
    };
    for (let round = 0; round < 50; round += 1) {
      void syncs.request(site("a"), true);
      await clock.advance(100);
    }
    expect(tries).toBeLessThanOrEqual(6);
    expect(store.changes).toEqual([]);
  });

  test("a write that would begin less than half a second before the answer is due is not begun", async () => {
    for (const [takes, outcome] of [
      [3_400, "shed"],
      [3_200, "written"],
    ] as const) {
      const { clock, store, syncs } = world({ ...generous, inFlight: 1 });
      store.behaviour = () => ({ there: store.writes.length === 0 ? takes : 5, back: 0, answer: "written" });
      void syncs.request(site("a"), false);
      await clock.advance(1);
      const second = syncs.request(site("b"), false);
      await clock.advance(4_000);
      expect((await second).outcome).toBe(outcome);
      expect(store.writes).toHaveLength(outcome === "shed" ? 1 : 2);
    }
  });

  test("a patch that throws is a failure of its calls alone", async () => {
    const clock = new VirtualClock();
    const broken = () => Promise.reject(new Error("broken"));
    const syncs = new SiteSyncs(broken, new CallBudget(generous, clock), clock);
    expect(await syncs.request(site("a"), false)).toMatchObject({ outcome: "failed" });
    await syncs.settled();
  });

  test("all is settled when the last write has ended, and not before", async () => {
    const { clock, store, syncs } = world();
    let settled = false;
    for (const [name, takes] of [
      ["a", 100],
      ["b", 300],
    ] as const) {
      store.behaviour = () => ({ there: takes, back: 0, answer: "written" });
      void syncs.request(site(name), false);
      await clock.advance(0);
    }
    void syncs.settled().then(() => {
      settled = true;
    });
    await clock.advance(299);
    expect([syncs.pending, settled]).toEqual([1, false]);
    await clock.advance(1);
    expect([syncs.pending, settled]).toEqual([0, true]);
  });
});

type Step =
  | { readonly kind: "call"; readonly site: number; readonly ping: boolean }
  | { readonly kind: "wait"; readonly milliseconds: number }
  | { readonly kind: "step"; readonly milliseconds: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("call" as const), site: fc.nat(3), ping: fc.boolean() }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("wait" as const), milliseconds: fc.nat(1_500) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("step" as const),
        milliseconds: fc.integer({ min: -5_000, max: 5_000 }),
      }),
    },
  ),
  { maxLength: 20 },
);

const behaviours = fc.array(
  fc.record({
    there: fc.oneof(fc.nat(20), fc.nat(4_000)),
    back: fc.oneof(fc.nat(20), fc.nat(4_000)),
    answer: fc.constantFrom(
      "written" as const,
      "written" as const,
      "written" as const,
      "failed" as const,
      "busy" as const,
    ),
  }),
  { minLength: 1, maxLength: 8 },
);

const limits = fc.constantFrom(generous, shipped, { perSecond: 2, burst: 2, inFlight: 2, waiting: 4 });

/** `HEARTH_RUNS` multiplies them; the seed is printed by fast-check when one fails, and `WEBHOOK_SEED` repeats it. */
const runs = {
  numRuns: 3_000 * Number(process.env.HEARTH_RUNS ?? 1),
  ...(process.env.WEBHOOK_SEED ? { seed: Number(process.env.WEBHOOK_SEED) } : {}),
};

test("for every call answered written, the annotation changed after it came", { timeout: 60_000 }, async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(steps, behaviours, limits, fc.nat(999), async (script, answers, limit, fraction) => {
      const clock = new VirtualClock(1_790_000_000_000 + fraction);
      const store = new Store(clock);
      const syncs = new SiteSyncs((patch) => store.patch(patch), new CallBudget(limit, clock), clock);
      let asked = 0;
      store.missing.add("pages/site-3");
      store.behaviour = () => answers[asked++ % answers.length] ?? { there: 0, back: 0, answer: "written" };
      const calls: { key: string; ping: boolean; at: number; answeredAt?: number; outcome?: string }[] = [];
      let stepped = false;
      for (const step of script) {
        if (step.kind === "wait") await clock.advance(step.milliseconds);
        else if (step.kind === "step") {
          clock.step(step.milliseconds);
          stepped = true;
        } else {
          const name = `site-${step.site}`;
          const call: (typeof calls)[number] = { key: `pages/${name}`, ping: step.ping, at: clock.elapsed() };
          calls.push(call);
          void syncs.request(site(name), step.ping).then(({ outcome }) => {
            call.outcome = outcome;
            call.answeredAt = clock.elapsed();
          });
        }
      }
      await clock.advance(12_000);

      for (const call of calls) {
        expect(call.outcome).toBeDefined();
        expect((call.answeredAt ?? 0) - call.at).toBeLessThan(4_000);
        outcomes.add(call.outcome ?? "");
        if (call.outcome !== "written" || call.ping) continue;
        const { at, answeredAt = 0 } = call;
        expect(
          store.changes.some((change) => change.key === call.key && change.at >= at && change.at <= answeredAt),
        ).toBe(true);
      }
      for (const key of new Set(store.writes.map((write) => write.key))) {
        const writes = store.writes.filter((write) => write.key === key);
        expect(new Set(writes.map(({ value }) => value)).size).toBe(writes.length);
        if (!stepped) expect(writes.every(({ value, wall }) => value === Math.floor(wall / 1000))).toBe(true);
        const asks = calls.filter((call) => call.key === key && !call.ping);
        expect(writes.length).toBeLessThanOrEqual(asks.length);
      }
      expect(store.changes.some(({ key }) => key === "pages/site-3")).toBe(false);
      expect(syncs.pending).toBe(0);
      expect(syncs.tracked).toBe(0);
      expect(clock.waiting).toBe(0);
    }),
    runs,
  );
  expect([...outcomes].sort()).toEqual(["failed", "not_found", "shed", "written"]);
});
