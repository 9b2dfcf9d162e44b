import { planAdmission } from "../components/admission/plan.ts";
import { cloudSuitePlan } from "../components/cloudsuite/plan.ts";
import { planForge } from "../components/forge/plan.ts";
import { planHub } from "../components/hub/plan.ts";
import type { Plan } from "../components/plan.ts";
import { siteWebhookPlans } from "../components/site-webhook/plan.ts";
import { storesPlan } from "../components/stores/plan.ts";
import type { Stack } from "../settings/stack-settings.ts";
import { admission, forge, hub, sharedStores, siteWebhook, suites } from "../stack.ts";

/** The plans of all components of a stack, as the components themselves make them. */
export function stackPlans(stack: Stack): Plan[] {
  const stores = sharedStores(stack);
  const forgeArgs = forge(stack);
  const hubArgs = hub(stack);
  const limits = admission(stack);
  const webhook = siteWebhook(stack);
  return [
    ...(limits ? [planAdmission(limits)] : []),
    ...(stores ? [storesPlan(stores.args)] : []),
    ...(forgeArgs ? [planForge(forgeArgs)] : []),
    ...(hubArgs ? [planHub(hubArgs)] : []),
    ...(webhook ? siteWebhookPlans(webhook) : []),
    ...suites(stack).map(({ args }) => cloudSuitePlan(args)),
  ];
}
