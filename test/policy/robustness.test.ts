import { exemptionProblems } from "@hearth-platform/policy/core/exemptions";
import { Field } from "@hearth-platform/policy/core/field";
import { describe, expect, it } from "vitest";
import { fixturesOf } from "./support/fixtures.ts";
import { disturbed, randomNumbers, randomTree } from "./support/random-trees.ts";
import { leaves } from "./support/trees.ts";
import { changed, judged, packs } from "./support/verdicts.ts";

const seed = Number(process.env.HEARTH_SEED ?? Date.now() % 2 ** 31);
/** For each policy, others each time; `HEARTH_RUNS` multiplies them, for a night. */
const trees = 2_000 * Number(process.env.HEARTH_RUNS ?? 1);
const canary = "c4n4ry";

for (const [pack, { policies }] of Object.entries(packs)) {
  const fixtures = await fixturesOf(pack);

  describe.each(policies.map((policy) => [policy.id, policy] as const))("%s", (id, policy) => {
    const { good = {}, bad = {} } = fixtures.get(id) ?? {};
    const all = Object.values({ ...good, ...bad });

    it(`throws nothing at ${trees} random trees, seed ${seed}`, () => {
      const random = randomNumbers(seed);
      for (let count = 0; count < trees; count++) {
        const fixture = all[count % all.length];
        if (!fixture) break;
        const resources = fixture.resources.map((raw) => ({
          ...raw,
          props: count % 4 === 0 ? randomTree(random) : disturbed(raw.props, random),
        }));
        try {
          judged(policy, { ...fixture, resources });
        } catch (error) {
          throw new Error(JSON.stringify(resources), { cause: error });
        }
      }
    });

    it("says nothing of what it found", () => {
      for (const fixture of all)
        for (const [index, { props }] of fixture.resources.entries())
          for (const [path, value] of leaves(new Field("", props)))
            for (const told of [canary, `${value}${canary}`, `${canary}${value}`])
              for (const { message } of judged(policy, changed(fixture, index, path, told)).violations)
                expect(message, path).not.toContain(canary);
    });
  });
}

it("a problem of an exemption says nothing of what it holds", () => {
  const problems = exemptionProblems(
    [{ until: canary }, { name: canary, reason: canary, until: "2020-01-01" }],
    new Date(),
  );
  expect(problems.length).toBeGreaterThan(2);
  for (const { message } of problems) expect(message).not.toContain(canary);
});
