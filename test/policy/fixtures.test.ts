import { describe, expect, it } from "vitest";
import { baselinePack } from "../../policy/baseline/policies.ts";
import { type Reader, unknown } from "../../policy/core/field.ts";
import {
  concerns,
  isStackPolicy,
  type Judgement,
  judge,
  judgeStack,
  type Policy,
  settingsOf,
} from "../../policy/core/policy.ts";
import { Resource } from "../../policy/core/resource.ts";
import { limitsPack } from "../../policy/limits/policies.ts";
import { type Fixture, factsOf, fixturesOf } from "./support/fixtures.ts";
import { replaced } from "./support/trees.ts";

/** What the policy says of a fixture; of several resources all together. */
function judged(policy: Policy, fixture: Fixture, reader?: Reader): Judgement {
  const resources = fixture.resources.map((raw) => new Resource(raw, reader));
  const settings = settingsOf(policy, fixture.settings);
  if (isStackPolicy(policy)) return judgeStack(policy, resources, settings, factsOf(fixture));
  const all = resources
    .filter((resource) => concerns(policy, resource))
    .map((resource) => judge(policy, resource, settings, factsOf(fixture)));
  return {
    violations: all.flatMap(({ violations }) => violations),
    skipped: all.find(({ skipped }) => skipped !== undefined)?.skipped,
  };
}

/** The fixture with other inputs of its resource at `index`. */
function changed(fixture: Fixture, index: number, path: string, value: unknown): Fixture {
  const resources = fixture.resources.map((raw, at) =>
    at === index ? { ...raw, props: replaced(raw.props, path, value) } : raw,
  );
  return { ...fixture, resources };
}

for (const [pack, { policies }] of Object.entries({ limits: limitsPack, baseline: baselinePack })) {
  const fixtures = await fixturesOf(pack);

  it(`every policy of ${pack} has fixtures, at least three good and three bad ones`, () => {
    expect([...fixtures.keys()].sort()).toEqual(policies.map(({ id }) => id).sort());
    for (const [id, { good, bad }] of fixtures) {
      expect(Object.keys(good).length, `good ${id}`).toBeGreaterThanOrEqual(3);
      expect(Object.keys(bad).length, `bad ${id}`).toBeGreaterThanOrEqual(3);
    }
  });

  describe.each(policies.map((policy) => [policy.id, policy] as const))("%s", (id, policy) => {
    const { good = {}, bad = {} } = fixtures.get(id) ?? {};

    it.each(Object.entries(good))("lets pass: %s", (_, fixture) => {
      expect(judged(policy, fixture)).toEqual({ violations: [] });
    });

    it.each(Object.entries(bad))("reports: %s", (_, fixture) => {
      const { violations, skipped } = judged(policy, fixture);
      expect(violations).not.toEqual([]);
      expect(skipped).toBeUndefined();
    });

    it("skips what it has to know and can't, instead of letting it pass", () => {
      for (const [name, fixture] of Object.entries({ ...good, ...bad }))
        fixture.resources.forEach((raw, index) => {
          const read = new Set<string>();
          judged(policy, { ...fixture, resources: [raw] }, (path) => read.add(path));
          for (const path of read) {
            const { violations, skipped } = judged(policy, changed(fixture, index, path, unknown));
            expect(violations.length > 0 || skipped !== undefined, `${name}: ${path}`).toBe(true);
          }
        });
    });

    it("reports every good fixture one step over", () => {
      for (const [name, fixture] of Object.entries(good))
        for (const [path, values] of Object.entries(fixture.over ?? {}))
          for (const value of values)
            expect(judged(policy, changed(fixture, 0, path, value)).violations, `${name}: ${path}`).not.toEqual([]);
    });
  });
}
