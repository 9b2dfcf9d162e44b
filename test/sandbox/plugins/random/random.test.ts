import { generatedProvider } from "@hearth-platform/sandbox/plugins/generated";
import { type Properties, Secret } from "@hearth-platform/sandbox/plugins/grpc";
import { resources } from "@hearth-platform/sandbox/plugins/random/resources";
import { shuffled } from "@hearth-platform/sandbox/plugins/random/text";
import bcrypt from "bcryptjs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { provider } from "../provider.ts";

const implementation = generatedProvider({ name: "random", version: "0.0.0" }, resources);
const random = (type: string) => provider(implementation, { type: `random:index/random${type}:Random${type}` });

/** The value of an output that must be secret. */
function revealed(state: Properties, name: string): string {
  const value = state[name];
  if (!(value instanceof Secret)) throw new Error(`${name} is not secret`);
  return String(value.value);
}

describe("RandomPassword and RandomString", () => {
  test("text obeys its rules, whatever they are", async () => {
    const minimum = fc.integer({ min: 0, max: 4 });
    const rules = fc.record({
      length: fc.integer({ min: 16, max: 40 }),
      special: fc.boolean(),
      upper: fc.boolean(),
      minLower: minimum,
      minNumeric: minimum,
      minSpecial: minimum,
      minUpper: minimum,
    });
    await fc.assert(
      fc.asyncProperty(rules, async (given) => {
        const { state } = await random("String").create({ ...given, overrideSpecial: "!?" });
        const text = String(state.result);
        const count = (set: RegExp) => text.match(set)?.length ?? 0;

        expect(text).toHaveLength(given.length);
        expect(text).toMatch(/^[A-Za-z0-9!?]*$/);
        expect(count(/[a-z]/g)).toBeGreaterThanOrEqual(given.minLower);
        expect(count(/[0-9]/g)).toBeGreaterThanOrEqual(given.minNumeric);
        if (given.special) expect(count(/[!?]/g)).toBeGreaterThanOrEqual(given.minSpecial);
        else expect(count(/[!?]/g)).toBe(0);
        if (given.upper) expect(count(/[A-Z]/g)).toBeGreaterThanOrEqual(given.minUpper);
        else expect(count(/[A-Z]/g)).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test("a password and its bcrypt hash are secret and belong together", async () => {
    const { id, state } = await random("Password").create({ length: 24 });

    expect(id).toBe("none");
    expect(await bcrypt.compare(revealed(state, "result"), revealed(state, "bcryptHash"))).toBe(true);
  });

  test("every change of a rule or a keeper makes another password", async () => {
    const { state } = await random("String").create({ length: 8, keepers: { a: "1" } });

    expect((await random("String").diff(state, { length: 8, keepers: { a: "2" } })).replaces).toEqual(["keepers"]);
    expect((await random("String").diff(state, { length: 9, keepers: { a: "1" } })).replaces).toEqual(["length"]);
    expect((await random("String").diff(state, { length: 8, special: true, keepers: { a: "1" } })).changes).toBe(false);
  });

  test.each([
    [{ length: 3, minUpper: 2, minLower: 2 }, "length", "must be at least the sum of the minimums, 4, got 3"],
    [{ length: 0 }, "length", "must be a whole number, at least 1"],
    [
      { length: 3, upper: false, lower: false, numeric: false, special: false },
      "special",
      "at least one of lower, upper, numeric and special must be allowed",
    ],
  ])("%j is refused", async (inputs, property, reason) => {
    expect(await random("Password").check(inputs)).toEqual([{ property, reason }]);
  });

  test("an imported password keeps its text, and up leaves it alone", async () => {
    const imported = await random("Password").import("an old password");

    expect(revealed(imported?.state ?? {}, "result")).toBe("an old password");
    expect((await random("Password").diff(imported?.state ?? {}, { length: 15 })).changes).toBe(false);
  });
});

describe("RandomId and RandomBytes", () => {
  test("an id is the same bytes in each form, after the prefix", async () => {
    const { id, state } = await random("Id").create({ byteLength: 5, prefix: "x-" });

    const bytes = Buffer.from(id, "base64url");
    expect(bytes).toHaveLength(5);
    expect(state).toMatchObject({
      hex: `x-${bytes.toString("hex")}`,
      b64Std: `x-${bytes.toString("base64")}`,
      b64Url: `x-${id}`,
      dec: `x-${BigInt(`0x${bytes.toString("hex")}`)}`,
    });
    expect((await random("Id").import(`x-,${id}`))?.state).toEqual(state);
  });

  test("bytes are secret, but for the id, as the official provider has it", async () => {
    const { id, state } = await random("Bytes").create({ length: 9 });

    expect(Buffer.from(revealed(state, "base64"), "base64").toString("hex")).toBe(revealed(state, "hex"));
    expect(revealed(state, "hex")).toHaveLength(18);
    expect(id).toBe(revealed(state, "base64"));
  });
});

describe("the others", () => {
  test("an integer lies between min and max, both possible", async () => {
    const results = await Promise.all(Array.from({ length: 60 }, () => random("Integer").create({ min: 1, max: 2 })));

    expect(new Set(results.map(({ state }) => state.result))).toEqual(new Set([1, 2]));
    expect(await random("Integer").check({ min: 3, max: 2 })).toEqual([
      { property: "min", reason: "must not be above max, 2" },
    ]);
  });

  test("a seed is refused rather than ignored", async () => {
    expect((await random("Shuffle").check({ inputs: ["a"], seed: "s" }))[0]?.property).toBe("seed");
  });

  test("a shuffle is whole permutations, cut where asked", async () => {
    const { state } = await random("Shuffle").create({ inputs: ["a", "b", "c"], resultCount: 5 });

    const results = state.results as string[];
    expect(results).toHaveLength(5);
    expect(results.slice(0, 3).sort()).toEqual(["a", "b", "c"]);
    expect(new Set(results.slice(3)).size).toBe(2);
  });

  test("every order of three is about as likely", () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < 6_000; round += 1) {
      const order = shuffled(["a", "b", "c"]).join("");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }

    expect(counts.size).toBe(6);
    // Six standard deviations from the expected 1,000.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(175);
  });

  test("a pet's name has the words, prefix and separator that were asked for", async () => {
    expect((await random("Pet").create({ length: 3, prefix: "my", separator: "_" })).id).toMatch(/^my(_[a-z]+){3}$/);
    expect((await random("Pet").create({})).id).toMatch(/^[a-z]+-[a-z]+$/);
  });

  test("a UUID is one of version 4", async () => {
    expect((await random("Uuid").create({})).id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
