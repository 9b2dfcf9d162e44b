import type { IncomingMessage } from "node:http";
import { type AttemptEnd, Attempts } from "@hearth-platform/site-webhook/sign-in/attempts";
import { Sources } from "@hearth-platform/site-webhook/sign-in/source";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../support/virtual-clock.ts";

const limits = { burst: 3, perSecond: 1, waiting: 2 };

function attemptsWith() {
  const clock = new VirtualClock();
  const attempts = new Attempts(limits, clock);
  let number = 0;
  const begin = (source: string, credentials = `made-up-${++number}`) =>
    attempts.begin(source, credentials, clock.elapsed() + 2_000);
  const end = async (source: string, how: AttemptEnd, credentials?: string) =>
    (await begin(source, credentials))?.end(how);
  return { clock, attempts, begin, end };
}

describe("a source", () => {
  test("may fail so often at once, then once for each second that goes by", async () => {
    const { clock, begin, end } = attemptsWith();
    for (let count = 0; count < limits.burst; count++) await end("a", "failed");
    const next = begin("a");
    await clock.advance(999);
    const other = begin("a");
    await clock.advance(1);
    expect(await next).toMatchObject({ standing: "new" });
    // Its second comes at 2,000, its time is over at 2,999.
    await clock.advance(2_000);
    expect(await other).toMatchObject({ standing: "new" });
  });

  test("gets a turn back for what does not fail, however much that is", async () => {
    const { end, begin, attempts } = attemptsWith();
    for (let count = 0; count < 50; count++) await end("a", count % 2 === 0 ? "proven" : "open");
    expect(await begin("a")).toMatchObject({ standing: "new" });
    expect(attempts.sources).toBe(1);
  });

  test("gains nothing by many attempts at once: those that have no end yet count as failed", async () => {
    const { clock, begin } = attemptsWith();
    const begun = Array.from({ length: 7 }, () => begin("a"));
    await clock.advance(0);
    // Three are under way, two wait, and two more are refused at once.
    expect(await Promise.all(begun.slice(5))).toEqual([undefined, undefined]);
    const [first] = await Promise.all(begun.slice(0, 3));
    first?.end("open");
    expect(await begun[3]).toMatchObject({ standing: "new" });
  });

  test("takes no turn from another", async () => {
    const { begin } = attemptsWith();
    const busy = Array.from({ length: 7 }, () => begin("a"));
    expect(await begin("b")).toMatchObject({ standing: "new" });
    await Promise.all(busy.slice(0, 3));
  });

  test("waits no longer than it may", async () => {
    const { clock, attempts, begin } = attemptsWith();
    for (let count = 0; count < limits.burst; count++) await begin("a");
    const seen: unknown[] = [];
    void attempts.begin("a", "late", 500).then((attempt) => seen.push(attempt));
    await clock.advance(499);
    expect(seen).toEqual([]);
    await clock.advance(1);
    expect(seen).toEqual([undefined]);
  });

  test("is forgotten when nothing of it is left", async () => {
    const { clock, attempts, end } = attemptsWith();
    await end("a", "failed");
    expect(attempts.sources).toBe(1);
    await clock.advance(10_000);
    await end("a", "open");
    expect(attempts.sources).toBe(0);
  });

  test("has a budget with all others beyond ten thousand, so that none costs memory", async () => {
    const { attempts, begin, end } = attemptsWith();
    for (let count = 0; count < 10_000 + limits.burst; count++) await end(`source-${count}`, "failed");
    expect(attempts.sources).toBe(10_001);
    const more = ["one", "two", "three"].map((source) => begin(source));
    expect(await more[2]).toBeUndefined();
  });

  test("is the ten thousand and first, and has a budget of its own where nothing is left of the others", async () => {
    const { clock, attempts, begin, end } = attemptsWith();
    for (let count = 0; count < 10_000; count++) await end(`source-${count}`, "failed");
    await clock.advance(1_000);
    expect(await begin("new")).toMatchObject({ standing: "new" });
    expect(attempts.sources).toBe(1);
  });
});

test("credentials that opened something are known for an hour, and wait for nothing", async () => {
  const { clock, begin, end } = attemptsWith();
  await end("a", "proven", "alice");
  for (let count = 0; count < limits.burst; count++) await begin("a");
  expect(await begin("a", "alice")).toMatchObject({ standing: "known" });
  await clock.advance(3_599_000);
  expect(await begin("b", "alice")).toMatchObject({ standing: "known" });
  await clock.advance(1_000);
  expect(await begin("b", "alice")).toMatchObject({ standing: "new" });
});

describe("where a call comes from", () => {
  const sources = new Sources(["10.0.0.0/8", "fd00::/8", "192.0.2.1"]);
  const of = (forwarded: string | undefined, remoteAddress = "10.1.2.3") =>
    sources.of({ headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress } } as unknown as IncomingMessage);

  test.each<[string | undefined, string]>([
    [undefined, "10.1.2.3"],
    ["", "10.1.2.3"],
    ["unknown", "10.1.2.3"],
    ["198.51.100.7", "198.51.100.7"],
    // What stands before it, the caller may have written.
    ["203.0.113.1, 198.51.100.7, 192.0.2.1,10.9.9.9", "198.51.100.7"],
    ["203.0.113.1, not an address, 198.51.100.7", "198.51.100.7"],
    // A pod of the cluster, through the cluster's proxies.
    ["10.42.0.9, 10.1.1.1", "10.42.0.9"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
    // A caller has a network of 64 bits.
    ["2001:db8:0:1::7", "2001:db8:0:1"],
    ["2001:0DB8:0000:0001:ffff:1:2:3", "2001:db8:0:1"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8:0:1::7, fd00::1", "2001:db8:0:1"],
  ])("%s: %s", (forwarded, source) => {
    expect(of(forwarded)).toBe(source);
  });

  test("a proxy without a range is its one address, of IPv6 too", () => {
    const one = new Sources(["2001:db8:ffff::1", "192.0.2.1"]);
    const through = (forwarded: string) =>
      one.of({ headers: { "x-forwarded-for": forwarded }, socket: {} } as unknown as IncomingMessage);
    expect(through("203.0.113.1, 2001:db8:0:1::7, 2001:db8:ffff::1")).toBe("2001:db8:0:1");
    expect(through("203.0.113.1, 192.0.2.2, 192.0.2.1")).toBe("192.0.2.2");
  });

  test("a connection of IPv4 at a port of IPv6 is one of IPv4", () => {
    expect(of(undefined, "::ffff:198.51.100.7")).toBe("198.51.100.7");
  });
});
