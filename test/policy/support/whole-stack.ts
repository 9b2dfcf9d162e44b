import { concerns, evaluate, evaluateStack, isStackPolicy, policySettings } from "@hearth-platform/policy/core/policy";
import type { Stack } from "@hearth-platform/stack/stack-settings";
import { factsOfStack, resourcesOf } from "../baseline/planned-stack.ts";
import { packs } from "./verdicts.ts";

const policies = Object.values(packs).flatMap((pack) => pack.policies);

/** What the packs find in a stack: violations, and what no policy could judge. */
export function violationsOf(stack: Stack) {
  const resources = resourcesOf(stack);
  const facts = factsOfStack(stack);
  // It forbids what the stack allows, where a level is given to it.
  const asked = policies.filter(({ id }) => id !== "lim-widening" || !stack.settings.limits);
  return asked.flatMap((policy) => {
    const settings = policySettings(policy);
    const judgements = isStackPolicy(policy)
      ? [evaluateStack(policy, resources, settings, facts)]
      : resources
          .filter((each) => concerns(policy, each))
          .map((each) => ({ of: each.urn, ...evaluate(policy, each, settings, facts) }));
    return judgements
      .filter(({ violations, skipped }) => violations.length > 0 || skipped !== undefined)
      .map((judgement) => ({ policy: policy.id, ...judgement }));
  });
}
