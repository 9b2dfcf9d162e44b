import { cloudSuitePlan } from "../components/cloudsuite/plan.ts";
import type { Plan } from "../components/plan.ts";
import type { Stack } from "../settings/stack-settings.ts";
import { suites } from "../stack.ts";

/** The plans of all components of a stack, as the components themselves make them. */
export function stackPlans(stack: Stack): Plan[] {
  return suites(stack).map(({ args }) => cloudSuitePlan(args));
}
