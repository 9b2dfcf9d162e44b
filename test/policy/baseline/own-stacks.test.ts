import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cloudSuitePlan } from "../../../components/cloudsuite/plan.ts";
import { planForge } from "../../../components/forge/plan.ts";
import type { Plan } from "../../../components/plan.ts";
import { storesPlan } from "../../../components/stores/plan.ts";
import { baselinePack } from "../../../policy/baseline/policies.ts";
import { concerns, isStackPolicy, judge, judgeStack, settingsOf } from "../../../policy/core/policy.ts";
import { type RawResource, Resource } from "../../../policy/core/resource.ts";
import { strictest } from "../../../policy/core/stack-facts.ts";
import { checkStack } from "../../../settings/stack-settings.ts";
import { sourceFromFile } from "../../../settings/stack-source.ts";
import { forge, sharedStores, suites } from "../../../stack.ts";
import { componentResource, resource } from "../support/fixtures.ts";

const project = join(import.meta.dirname, "../../..");

/** All that a committed stack registers: its components with their arguments, and the objects in them. */
function resourcesOf(name: string): Resource[] {
  const { source } = sourceFromFile(project, name);
  const { stack } = source ? checkStack(project, source) : {};
  if (!stack) throw new Error(`The stack ${name} has faults.`);
  const stores = sharedStores(stack);
  const forgeArgs = forge(stack);
  return [
    ...(stores ? made("Stores", "platform", stores.args, storesPlan(stores.args)) : []),
    ...(forgeArgs ? made("Forge", "forge", forgeArgs, planForge(forgeArgs)) : []),
    ...suites(stack).flatMap(({ name, args }) => made("CloudSuite", name, args, cloudSuitePlan(args))),
  ].map((raw) => new Resource(raw));
}

function made(type: string, name: string, args: object, plan: Plan): RawResource[] {
  const parent = componentResource(type, args as Record<string, unknown>, name);
  const objects = plan.objects.map(({ object, holdsData }) =>
    resource(object as typeof object & Record<string, unknown>, { parent, protect: holdsData }),
  );
  return [parent, ...objects];
}

describe.each(["dev", "prod"])("the stack %s", (name) => {
  const resources = resourcesOf(name);

  test.each(baselinePack.policies.map((policy) => [policy.id, policy] as const))("keeps %s", (_, policy) => {
    const settings = settingsOf(policy);
    const found = isStackPolicy(policy)
      ? [judgeStack(policy, resources, settings, strictest)]
      : resources
          .filter((each) => concerns(policy, each))
          .map((each) => ({ of: each.urn, ...judge(policy, each, settings, strictest) }));
    expect(found.filter(({ violations, skipped }) => violations.length > 0 || skipped)).toEqual([]);
  });
});
