import { describe, expect, it } from "vitest";
import { accessRows } from "./adversarial/access.ts";
import { secretRows, storageRows } from "./adversarial/data.ts";
import { networkRows, operatorRows } from "./adversarial/platform.ts";
import { podRows, soundPods } from "./adversarial/pods.ts";
import type { Row } from "./adversarial/row.ts";
import { judged, packs } from "./support/verdicts.ts";

const policies = Object.values(packs).flatMap((pack) => pack.policies);
const corpus = { podRows, accessRows, secretRows, storageRows, networkRows, operatorRows };

/** Policies that report an object or can't judge it. */
function reporting({ fixture }: Row): string[] {
  return policies
    .filter((policy) => {
      const { violations, skipped } = judged(policy, fixture);
      return violations.length > 0 || skipped !== undefined;
    })
    .map(({ id }) => id);
}

describe.each(Object.entries({ ...corpus, soundPods }))("mistakes from published lists: %s", (_, rows) => {
  it.each(rows.map((row) => [row.what, row] as const))("%s", (_, row) => {
    const found = reporting(row);
    if ("passes" in row.expected) expect(found).toEqual([]);
    else expect(row.expected.filter((id) => found.includes(id)).length, found.join()).toBeGreaterThan(0);
  });
});

it("mistakes from published lists are 300 objects or more, each with another name", () => {
  const names = Object.entries(corpus).flatMap(([list, rows]) => rows.map(({ what }) => `${list} ${what}`));
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(300);
});
