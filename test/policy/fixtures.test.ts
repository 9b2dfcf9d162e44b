import { unknown } from "@hearth-platform/policy/core/field";
import type { Policy } from "@hearth-platform/policy/core/policy";
import { describe, expect, it } from "vitest";
import { type Fixture, fixturesOf } from "./support/fixtures.ts";
import { changed, judged, packs, pathsRead } from "./support/verdicts.ts";

const isComponent = (type: string) => type.startsWith("hearth");

/** The two forms in which a policy may judge something, as far as it judges them. */
function formsOf({ kinds }: Policy): readonly boolean[] {
  return kinds === "any" ? [false] : [...new Set(kinds.map(isComponent))];
}

function has(fixtures: Readonly<Record<string, Fixture>>, component: boolean): boolean {
  return Object.values(fixtures).some(({ resources }) => resources.some(({ type }) => isComponent(type) === component));
}

for (const [pack, { policies }] of Object.entries(packs)) {
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

    it("has fixtures of components and of objects, where it judges them", () => {
      for (const component of formsOf(policy))
        for (const [name, found] of Object.entries({ good, bad }))
          expect(has(found, component), `${name} ${component ? "component" : "object"}`).toBe(true);
    });

    it("has fixtures that a program could have: each resource once", () => {
      for (const [name, { resources }] of Object.entries({ ...good, ...bad }))
        expect(new Set(resources.map(({ urn }) => urn)).size, name).toBe(resources.length);
    });

    it.each(Object.entries(good))("lets pass: %s", (_, fixture) => {
      expect(judged(policy, fixture)).toEqual({ violations: [] });
    });

    it.each(Object.entries(bad))("reports: %s", (_, fixture) => {
      const { violations, skipped } = judged(policy, fixture);
      expect(violations).not.toEqual([]);
      expect(violations.filter(({ advice = false }) => advice !== (fixture.advice ?? false))).toEqual([]);
      expect(skipped).toBeUndefined();
    });

    it("skips what it has to know and can't, instead of letting it pass", () => {
      for (const [name, fixture] of Object.entries({ ...good, ...bad }))
        for (const index of fixture.resources.keys())
          for (const path of pathsRead(policy, fixture, index)) {
            const { violations, skipped } = judged(policy, changed(fixture, index, path, unknown));
            expect(violations.length > 0 || skipped !== undefined, `${name}: ${path}`).toBe(true);
          }
    });

    it("has a step over of every good fixture, or says why there is none", () => {
      for (const [name, { over = {}, notJudged }] of Object.entries(good)) {
        const steps = Object.values(over).flat();
        expect(steps.length > 0, name).toBe(notJudged === undefined);
      }
    });

    it("reports every good fixture one step over", () => {
      const steps = Object.entries(good).flatMap(([name, fixture]) =>
        Object.entries(fixture.over ?? {}).flatMap(([path, values]) =>
          values.map((value) => ({ at: `${name}: ${path}`, fixture: changed(fixture, 0, path, value) })),
        ),
      );
      for (const { at, fixture } of steps) expect(judged(policy, fixture).violations, at).not.toEqual([]);
    });
  });
}
