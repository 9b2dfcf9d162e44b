import { CallBudget, type CallLimits, type Release, type Standing } from "@hearth-platform/site-webhook/call-budget";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "./support/virtual-clock.ts";

const wide: CallLimits = { perSecond: 1_000, burst: 1_000, inFlight: 1_000, waiting: 1_000 };

/** A budget on a clock of its own; asks for turns, and notes in their order those that were given and refused. */
function budgetWith(limits: Partial<CallLimits>) {
  const clock = new VirtualClock();
  const budget = new CallBudget({ ...wide, ...limits }, clock);
  const given: { readonly who: string; readonly at: number; readonly release: Release }[] = [];
  const refused: string[] = [];
  const ask = (count: number, standing: Standing, within = 60_000, who: string = standing) => {
    for (let number = 0; number < count; number += 1)
      void budget.acquire(standing, clock.elapsed() + within).then((release) => {
        if (release) given.push({ who, at: clock.elapsed(), release });
        else refused.push(who);
      });
    return clock.advance(0);
  };
  return { clock, given, refused, ask };
}

describe("the budget of calls to another server", () => {
  test("has exactly its number of calls under way, and a place given back twice is one place", async () => {
    const { given, ask, clock } = budgetWith({ inFlight: 4 });
    await ask(7, "known");
    expect(given).toHaveLength(4);
    given[0]?.release();
    given[0]?.release();
    await clock.advance(5_000);
    expect(given).toHaveLength(5);
  });

  test("gives what was never seen before half of the places", async () => {
    const { given, ask } = budgetWith({ inFlight: 4 });
    await ask(4, "new");
    expect(given).toHaveLength(2);
    await ask(4, "known");
    expect(given.map(({ who }) => who)).toEqual(["new", "new", "known", "known"]);
  });

  test("gives exactly its burst at once, then so many a second, and never saves up more than the burst", async () => {
    const { given, ask, clock } = budgetWith({ perSecond: 10, burst: 6 });
    await ask(8, "known");
    expect(given.map(({ at }) => at)).toEqual([0, 0, 0, 0, 0, 0]);
    await clock.advance(200);
    expect(given.slice(6).map(({ at }) => Math.round(at))).toEqual([100, 200]);
    await clock.advance(60_000);
    await ask(8, "known");
    expect(given).toHaveLength(14);
  });

  test("gives what was never seen before half of the burst, and half so many a second", async () => {
    const { given, ask, clock } = budgetWith({ perSecond: 10, burst: 6 });
    await ask(5, "new");
    expect(given).toHaveLength(3);
    await clock.advance(400);
    expect(given.slice(3).map(({ at }) => Math.round(at))).toEqual([200, 400]);
  });

  test("gives what was never seen before no turn that the whole does not have, though its half has some", async () => {
    const { given, ask, clock } = budgetWith({ perSecond: 10, burst: 6 });
    await ask(6, "known");
    await ask(1, "new");
    await clock.advance(99);
    expect(given).toHaveLength(6);
    await clock.advance(1);
    expect(given.map(({ who }) => who)).toEqual([...Array(6).fill("known"), "new"]);
  });

  test("gives a turn that has just come to the known call that waits for it, not to a new one that comes then", async () => {
    const { given, ask, clock } = budgetWith({ perSecond: 10_000, burst: 1 });
    await ask(1, "known", 60_000, "first");
    await ask(1, "known", 60_000, "waits");
    // The turn is there after a tenth of a millisecond, and timers ring after a whole one.
    await clock.advance(0.5);
    await ask(1, "new");
    await clock.advance(5);
    expect(given.map(({ who }) => who)).toEqual(["first", "waits", "new"]);
  });

  test("gives what was never seen before a turn also where half of its burst is less than one", async () => {
    const { given, ask } = budgetWith({ burst: 1, inFlight: 1 });
    await ask(1, "new");
    expect(given.map(({ who }) => who)).toEqual(["new"]);
  });

  test("lets exactly its number wait, of what was never seen before half of it; one more is refused at once", async () => {
    const { given, refused, ask } = budgetWith({ inFlight: 2, waiting: 6 });
    await ask(2, "known");
    await ask(4, "new");
    expect(refused).toEqual(["new"]);
    await ask(4, "known");
    expect(refused).toEqual(["new", "known"]);
    expect(given).toHaveLength(2);
  });

  test("gives known calls their turn first, and each kind in order of arrival", async () => {
    const { given, ask } = budgetWith({ inFlight: 1 });
    await ask(1, "known", 60_000, "first");
    for (const who of ["new a", "new b"]) await ask(1, "new", 60_000, who);
    for (const who of ["known a", "known b"]) await ask(1, "known", 60_000, who);
    for (let turn = 0; turn < 4; turn += 1) {
      given[turn]?.release();
      await ask(0, "known");
    }
    expect(given.map(({ who }) => who)).toEqual(["first", "known a", "known b", "new a", "new b"]);
  });

  test("refuses who has waited until the deadline, and who comes after it", async () => {
    const { given, refused, ask, clock } = budgetWith({ inFlight: 1 });
    await ask(1, "known");
    await ask(1, "known", 0, "late");
    expect(refused).toEqual(["late"]);
    await ask(1, "known", 300, "waits");
    await clock.advance(299);
    expect(refused).toEqual(["late"]);
    await clock.advance(1);
    expect(refused).toEqual(["late", "waits"]);
    // Its place in the line is free again, and it is given to nobody.
    given[0]?.release();
    await ask(1, "known", 300, "next");
    await ask(1, "known", 300, "last");
    given[1]?.release();
    await clock.advance(0);
    expect(given.map(({ who }) => who)).toEqual(["known", "next", "last"]);
    // Who has got a turn waits for no deadline.
    expect(clock.waiting).toBe(0);
  });
});
