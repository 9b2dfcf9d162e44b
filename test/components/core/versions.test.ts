import { compareVersions, mayDowngrade, parseVersion } from "@hearth-platform/hearth/core/versions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const full = fc.tuple(fc.nat(99), fc.nat(99), fc.nat(99)).map((parts) => parts.join("."));

describe("parseVersion", () => {
  test.each([
    ["31.0.8-apache", [31, 0, 8]],
    ["8-alpine", [8]],
    ["v1.4.0", [1, 4, 0]],
    ["16", [16]],
  ])("reads the numbers of %s", (tag, numbers) => expect(parseVersion(tag)).toEqual(numbers));

  test.each(["latest", "", "alpine-8", "8..1"])("finds none in %j", (tag) => expect(parseVersion(tag)).toBeUndefined());
});

describe("compareVersions", () => {
  test("is numeric, not alphabetic", () => expect(compareVersions("9.0.0", "10.0.0")).toBe(-1));

  test("is antisymmetric, and 0 for a version with itself", () => {
    fc.assert(
      fc.property(full, full, (a, b) => {
        expect(compareVersions(a, b)).toBe(-(compareVersions(b, a) ?? Number.NaN) + 0);
        expect(compareVersions(a, a)).toBe(0);
      }),
    );
  });

  test("orders full versions transitively", () => {
    fc.assert(
      fc.property(full, full, full, (a, b, c) => {
        const [first, second, third] = [a, b, c].sort((x, y) => compareVersions(x, y) ?? 0) as [string, string, string];
        expect(compareVersions(first, second)).toBeLessThanOrEqual(0);
        expect(compareVersions(second, third)).toBeLessThanOrEqual(0);
        expect(compareVersions(first, third)).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("a short tag equals all it may stand for", () => expect(compareVersions("8-alpine", "8.1.4-alpine")).toBe(0));
});

describe("mayDowngrade", () => {
  test.each([
    ["31.0.8", "30.0.9", true],
    ["31.0.8", "31.0.7", true],
    ["31.0.8", "31.0.8", false],
    ["31.0.8-apache", "31.0.9-apache", false],
    ["9-alpine", "10-alpine", false],
    ["8-alpine", "latest", true],
    ["latest", "latest", false],
  ])("from %s to %s: %s", (from, to, expected) => expect(mayDowngrade(from, to)).toBe(expected));
});
