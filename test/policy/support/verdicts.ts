import { baselinePack } from "@hearth-platform/policy/baseline/policies";
import type { Reader } from "@hearth-platform/policy/core/field";
import {
  concerns,
  type Evaluation,
  evaluate,
  evaluateStack,
  isStackPolicy,
  type Pack,
  type Policy,
  policySettings,
} from "@hearth-platform/policy/core/policy";
import { PolicyResource } from "@hearth-platform/policy/core/resource";
import { limitsPack } from "@hearth-platform/policy/limits/policies";
import { type Fixture, factsOf } from "./fixtures.ts";
import { replaced } from "./trees.ts";

/** The packs by their folders in `policy/`. */
export const packs: Readonly<Record<string, Pack>> = { limits: limitsPack, baseline: baselinePack };

/** What the policy says of a fixture; of several resources all together. @param readers by resource: told of every path that is read */
export function judged(policy: Policy, fixture: Fixture, readers: Readonly<Record<number, Reader>> = {}): Evaluation {
  const resources = fixture.resources.map((raw, index) => new PolicyResource(raw, readers[index]));
  const settings = policySettings(policy, fixture.settings);
  if (isStackPolicy(policy)) return evaluateStack(policy, resources, settings, factsOf(fixture));
  const all = resources
    .filter((resource) => concerns(policy, resource))
    .map((resource) => evaluate(policy, resource, settings, factsOf(fixture)));
  return {
    violations: all.flatMap(({ violations }) => violations),
    skipped: all.find(({ skipped }) => skipped !== undefined)?.skipped,
  };
}

/** Paths that the policy reads of the fixture's resource at `index`. */
export function pathsRead(policy: Policy, fixture: Fixture, index: number): ReadonlySet<string> {
  const read = new Set<string>();
  judged(policy, fixture, { [index]: (path) => read.add(path) });
  return read;
}

/** The fixture with another value at a path of its resource at `index`. */
export function changed(fixture: Fixture, index: number, path: string, value: unknown): Fixture {
  const resources = fixture.resources.map((raw, at) =>
    at === index ? { ...raw, props: replaced(raw.props, path, value) } : raw,
  );
  return { ...fixture, resources };
}
