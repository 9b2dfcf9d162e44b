import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removals, testedMinor } from "@hearth-platform/policy/baseline/api-versions/removals";
import { describe, expect, test } from "vitest";

const rows = removals.map((removal) => [`${removal.apiVersion} of ${removal.kinds.join(", ")}`, removal] as const);

describe.each(rows)("%s", (_, { apiVersion, kinds, deprecated, removed, replacement }) => {
  test("is warned of three releases before it goes", () => {
    expect(removed - deprecated).toBeGreaterThanOrEqual(3);
  });

  test("has a replacement that stays", () => {
    expect(replacement ?? "none/v1").toMatch(/\/v\d+$/);
    const isRemoved = removals.some(
      (other) => other.apiVersion === replacement && other.kinds.some((kind) => kinds.includes(kind)),
    );
    expect(isRemoved).toBe(false);
    expect(replacement).not.toBe(apiVersion);
  });
});

test("the table of removed APIs has no kind of an API version twice", () => {
  const all = removals.flatMap(({ apiVersion, kinds }) => kinds.map((kind) => `${apiVersion} ${kind}`));
  expect(all).toEqual([...new Set(all)]);
});

test("rows stand in the order in which clusters lose them", () => {
  const order = removals.map(({ removed }) => removed);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("the tested Kubernetes is the sandbox's", () => {
  const modules = readFileSync(join(import.meta.dirname, "../../../sandbox/programs/kube/go.mod"), "utf8");
  expect(modules).toContain(`k8s.io/kubernetes v1.${testedMinor}.`);
});
