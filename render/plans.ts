import { cloudSuitePlan } from "../components/cloudsuite/plan.ts";
import { planForge } from "../components/forge/plan.ts";
import { planHub } from "../components/hub/plan.ts";
import type { Plan } from "../components/plan.ts";
import { storesPlan } from "../components/stores/plan.ts";
import type { Stack } from "../settings/stack-settings.ts";
import { forge, hub, sharedStores, suites } from "../stack.ts";

/** The plans of all components of a stack, as the components themselves make them. */
export function stackPlans(stack: Stack): Plan[] {
  const stores = sharedStores(stack);
  const forgeArgs = forge(stack);
  const hubArgs = hub(stack);
  return [
    ...(stores ? [storesPlan(stores.args)] : []),
    ...(forgeArgs ? [planForge(forgeArgs)] : []),
    ...(hubArgs ? [planHub(hubArgs)] : []),
    ...suites(stack).map(({ args }) => cloudSuitePlan(args)),
  ];
}
