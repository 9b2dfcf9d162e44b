import { canonicalQuantity, exceeds, parseQuantity } from "@hearth-platform/hearth/core/quantities";
import { resourceRequirements } from "@hearth-platform/hearth/kubernetes/resources";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

describe("parseQuantity", () => {
  test.each([
    ["200m", 0.2],
    ["1", 1],
    ["1.5", 1.5],
    ["512Mi", 512 * 2 ** 20],
    ["10Gi", 10 * 2 ** 30],
    ["1e3", 1000],
    ["1.5Gi", 1.5 * 2 ** 30],
    ["2k", 2000],
    ["3Ki", 3 * 2 ** 10],
    ["3M", 3e6],
    ["3G", 3e9],
    ["3T", 3e12],
    ["3Ti", 3 * 2 ** 40],
    ["3P", 3e15],
    ["3Pi", 3 * 2 ** 50],
    ["3E", 3e18],
    ["3Ei", 3 * 2 ** 60],
  ])("reads %s", (text, number) => expect(parseQuantity(text)).toBe(number));

  test.each(["", "Mi", "10GiB", "10 Gi", "1.2.3", "ten"])("refuses %j", (text) =>
    expect(parseQuantity(text)).toBeUndefined(),
  );
});

test.each([
  ["20Gi", "10Gi", true],
  ["10240Mi", "10Gi", false],
  ["5G", "5Gi", false],
  ["10Gib", "1Gi", false],
  ["1Gi", "", false],
])("whether the quantity %j exceeds %j: %s", (quantity, other, expected) =>
  expect(exceeds(quantity, other)).toBe(expected),
);

describe("a canonical form", () => {
  test.each([
    ["1000m", "1"],
    ["1500m", "1500m"],
    ["0.5", "500m"],
    ["1.5Gi", "1536Mi"],
    ["1024Ki", "1Mi"],
    ["512Ki", "512Ki"],
    ["1000Ki", "1000Ki"],
    ["1000k", "1M"],
    ["1500", "1500"],
    ["2000", "2k"],
    ["0", "0"],
    ["0Gi", "0"],
    ["0.5Ki", "512"],
    // Below 1024 the suffixes are those of decimals, whatever was written.
    ["0.9765625Ki", "1k"],
    ["1.0009765625Ki", "1025"],
    ["1e3", "1e3"],
    ["0.0001", "0.0001"],
    ["10Gib", "10Gib"],
  ])("%s is kept as %s", (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  test("is canonical, and as much as what it was made of", () => {
    const counts = fc.integer({ min: 1, max: 1_000_000 });
    const suffixes = fc.constantFrom("m", "", "k", "M", "G", "Ki", "Mi", "Gi", "Ti");
    fc.assert(
      fc.property(counts, suffixes, (count, suffix) => {
        const once = canonicalQuantity(`${count}${suffix}`);
        expect(canonicalQuantity(once)).toBe(once);
        expect(parseQuantity(once)).toBeCloseTo(parseQuantity(`${count}${suffix}`) ?? Number.NaN, 9);
      }),
    );
  });
});

test("a ResourceSpec becomes resources as the API server stores them", () => {
  const spec = { requests: { cpu: "1000m", memory: "2048Mi" }, limits: { cpu: "2000m", memory: "4Gi" } };
  expect(resourceRequirements(spec)).toEqual({
    requests: { cpu: "1", memory: "2Gi" },
    limits: { cpu: "2", memory: "4Gi" },
  });
});
