import { describe, expect, test } from "vitest";
import { accessCases } from "./generated/access.ts";
import { exposureCasesOf } from "./generated/exposure.ts";
import { limitCases } from "./generated/limits.ts";
import { platformCases } from "./generated/platform.ts";
import { ruleCases } from "./generated/rules.ts";
import { secretCases } from "./generated/secrets.ts";
import { storageCases } from "./generated/storage.ts";
import { supplyCases } from "./generated/supply.ts";
import { workloadCases } from "./generated/workloads.ts";
import { judged, packs } from "./support/verdicts.ts";

const seed = Number(process.env.HEARTH_SEED ?? Date.now() % 2 ** 31);
const policies = Object.values(packs).flatMap((pack) => pack.policies);
const generated = [
  secretCases(seed),
  accessCases,
  ...platformCases(seed),
  ...storageCases,
  ...workloadCases,
  ...exposureCasesOf,
  ...ruleCases,
  ...supplyCases(seed),
  ...limitCases(seed),
];

describe.each(generated)("$policy, seed ".concat(String(seed)), ({ policy: id, breaks, keeps }) => {
  const policy = policies.find((each) => each.id === id);
  if (!policy) throw new Error(`There is no policy ${id}.`);
  const verdict = (fixture: (typeof breaks)[number]) => judged(policy, fixture);

  test(`reports each of ${breaks.length} objects that break it`, () => {
    const passed = breaks.filter((each) => verdict(each).violations.length === 0);
    expect(passed.map(({ what, resources }) => [what, resources.map(({ props }) => props)])).toEqual([]);
  });

  test(`lets pass each of ${keeps.length} objects that keep it`, () => {
    const reported = keeps.filter((each) => verdict(each).violations.length > 0 || verdict(each).skipped !== undefined);
    expect(
      reported.map((each) => [each.what, verdict(each).violations, each.resources.map(({ props }) => props)]),
    ).toEqual([]);
  });
});

test("every policy has its cases, in both directions", () => {
  const judgedOf = generated
    .filter(({ breaks, keeps }) => breaks.length > 0 && keeps.length > 0)
    .map(({ policy }) => policy);
  expect(policies.map(({ id }) => id).filter((id) => !judgedOf.includes(id))).toEqual([]);
});

test("10,000 objects or more are judged in both directions", () => {
  expect(generated.flatMap(({ breaks, keeps }) => [...breaks, ...keeps]).length).toBeGreaterThanOrEqual(10_000);
});
