import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalBytes, canonicalCpu, parseQuantity } from "../../components/quantities.ts";
import { resourceRequirements } from "../../components/resources.ts";

describe("parseQuantity", () => {
  test.each([
    ["200m", 0.2],
    ["1", 1],
    ["1.5", 1.5],
    ["512Mi", 512 * 2 ** 20],
    ["10Gi", 10 * 2 ** 30],
    ["1e3", 1000],
    ["2k", 2000],
  ])("reads %s", (text, number) => expect(parseQuantity(text)).toBe(number));

  test.each(["", "Mi", "10GiB", "10 Gi", "1.2.3", "ten"])("refuses %j", (text) =>
    expect(parseQuantity(text)).toBeUndefined(),
  );
});

describe("canonical forms", () => {
  test("whole cores have no suffix, parts are millicores", () => {
    expect(canonicalCpu("1000m")).toBe("1");
    expect(canonicalCpu("0.5")).toBe("500m");
    expect(canonicalCpu("1500m")).toBe("1500m");
  });

  test("sizes take the largest suffix that divides them", () => {
    expect(canonicalBytes("1024Mi")).toBe("1Gi");
    expect(canonicalBytes("1536Mi")).toBe("1536Mi");
    expect(canonicalBytes("1k")).toBe("1000");
  });

  test("a canonical form is canonical, and as large as what it was made of", () => {
    const sizes = fc.tuple(
      fc.integer({ min: 1, max: 4096 }),
      fc.constantFrom("Ki", "Mi", "Gi", "Ti", "k", "M", "G", ""),
    );
    fc.assert(
      fc.property(sizes, ([count, suffix]) => {
        const once = canonicalBytes(`${count}${suffix}`);
        expect(canonicalBytes(once)).toBe(once);
        expect(parseQuantity(once)).toBe(parseQuantity(`${count}${suffix}`));
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (millicores) => {
        const once = canonicalCpu(`${millicores}m`);
        expect(canonicalCpu(once)).toBe(once);
        expect(parseQuantity(once)).toBeCloseTo(millicores / 1000, 9);
      }),
    );
  });

  test("what is no quantity is named in the error", () => {
    expect(() => canonicalBytes("10GiB")).toThrow('"10GiB" is not a Kubernetes quantity');
  });
});

test("a ResourceSpec becomes resources as the API server stores them", () => {
  const spec = { requests: { cpu: "1000m", memory: "2048Mi" }, limits: { cpu: "2000m", memory: "4Gi" } };
  expect(resourceRequirements(spec)).toEqual({
    requests: { cpu: "1", memory: "2Gi" },
    limits: { cpu: "2", memory: "4Gi" },
  });
});
